import { useEffect } from 'react'
import { areSingleKeysOn } from '../../frame/preferences.ts'
import type { Neighbours } from './rows.ts'
import { useExplorer } from './use-explorer.ts'

/** `j` and `k` open the next and the previous record, Escape closes the drawer. */
export const useRowKeys = (open: number | undefined, { previous, next, first }: Neighbours): void => {
  const { change } = useExplorer()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const targets: Readonly<Record<string, number | undefined>> = {
        j: open === undefined ? first : next,
        k: previous,
      }
      if (event.key === 'Escape' && open !== undefined) change({ _open: undefined })
      const target = targets[event.key]
      if (target !== undefined && areSingleKeysOn()) change({ _open: String(target) }, { replace: open !== undefined })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open, previous, next, first, change])
}

/** Keys within fields and open dialogs belong to them. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null
