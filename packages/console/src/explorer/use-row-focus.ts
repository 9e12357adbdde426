import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/**
 * Gives the focus to the row of a record when its drawer is closed, if the drawer had it. `openKey` is the key of the
 * row, as long as it is in the document; otherwise the list gets the focus.
 */
export const useRowFocus = (
  list: RefObject<HTMLElement | null>,
  isOpen: boolean,
  openKey: string | undefined,
): void => {
  const lastKey = useRef<string>(undefined)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) lastKey.current = openKey
    const isClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!isClosed || document.activeElement !== document.body) return
    const row = list.current?.querySelector<HTMLElement>(`[role="row"][data-key="${lastKey.current}"]`)
    ;(row ?? list.current?.querySelector<HTMLElement>('[role="grid"]'))?.focus()
  }, [list, isOpen, openKey])
}
