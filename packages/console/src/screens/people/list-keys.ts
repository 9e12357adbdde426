import type { RefObject } from 'react'
import { useEffect } from 'react'
import { areSingleKeysOn } from '../../frame/preferences.ts'

interface ListKeys {
  /** The element around the list. */
  readonly list: RefObject<HTMLElement | null>
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
  readonly onClose: () => void
}

/** `j` and `k` move to the next and previous row; with the drawer open, they change its record. Escape closes it. */
export const useListKeys = ({ list, openId, onOpen, onClose }: ListKeys): void => {
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (isInDialog(event.target)) return
      if (event.key === 'Escape' && openId !== undefined) onClose()
      if ((event.key !== 'j' && event.key !== 'k') || !areSingleKeysOn()) return
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[role="row"][data-key]') ?? [])]
      const active = rows.findIndex((row) => row.contains(document.activeElement))
      const current = active === -1 ? rows.findIndex((row) => row.dataset.key === String(openId)) : active
      const next = rows[event.key === 'j' ? current + 1 : Math.max(0, current - 1)]
      if (next === undefined) return
      // The list would otherwise search for a name that begins with the letter.
      event.stopPropagation()
      event.preventDefault()
      next.focus()
      next.scrollIntoView({ block: 'nearest' })
      if (openId !== undefined) onOpen(Number(next.dataset.key))
    }
    addEventListener('keydown', handle, { capture: true })
    return () => removeEventListener('keydown', handle, { capture: true })
  }, [list, openId, onOpen, onClose])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="listbox"], [role="menu"]') !== null
