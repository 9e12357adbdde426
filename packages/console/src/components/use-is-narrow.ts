import { useSyncExternalStore } from 'react'
import { breakpoints } from '../styles/breakpoints.ts'

const query = matchMedia(`(max-width: ${breakpoints.phone - 1}px)`)

const subscribe = (notify: () => void) => {
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}

/** Whether the window is as narrow as a phone. For what style sheets cannot do: showing other content, and moving the focus. */
export const isNarrow = (): boolean => query.matches

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
