import { useSyncExternalStore } from 'react'

/** The dialogs of the frame, of which at most one is open. Any component may open one. */
type DialogName = 'search' | 'token' | 'keys'

let current: DialogName | undefined
const listeners = new Set<() => void>()

const setCurrent = (next: DialogName | undefined): void => {
  current = next
  for (const listener of listeners) listener()
}

export const openDialog = (name: DialogName): void => setCurrent(name)
export const closeDialog = (): void => setCurrent(undefined)

export const isDialogOpen = (): boolean => current !== undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOpenDialog = (): DialogName | undefined => useSyncExternalStore(subscribe, () => current)
