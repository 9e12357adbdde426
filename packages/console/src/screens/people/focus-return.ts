import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** When the drawer closes and the focus was in it, the focus goes back to the row of its person. */
export const useFocusReturn = (list: RefObject<HTMLElement | null>, openId: number | undefined): void => {
  const lastId = useRef<number>(undefined)
  useEffect(() => {
    const closedId = openId === undefined ? lastId.current : undefined
    lastId.current = openId
    if (closedId !== undefined && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`[role="row"][data-key="${closedId}"]`)?.focus()
  }, [list, openId])
}
