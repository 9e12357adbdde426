import { createContext } from 'react'

/** The ids of the elements that say what a figure counts, such as the heads of its column and row. */
export const NamedBy = createContext<string | undefined>(undefined)
