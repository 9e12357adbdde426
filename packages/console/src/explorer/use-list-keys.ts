import type { RefObject } from 'react'
import { useMemo } from 'react'
import { useListCommands } from '../frame/key-handlers.ts'

/** The records beside the open one. */
export interface Neighbours {
  readonly previous?: number | undefined
  readonly next?: number | undefined
  /** The first record in view, which opens if none is open. */
  readonly first?: number | undefined
}

interface ListKeys {
  readonly openId: number | undefined
  readonly onOpen: (id: number | undefined) => void
  /** The element around the list, if all of its rows are in the document: keys then move the focus between them. */
  readonly rows?: RefObject<HTMLElement | null>
  /** Otherwise, the records to which the keys go. */
  readonly neighbours?: Neighbours
}

/** The keys go to the next and the previous row; with the drawer open, they change its record. Escape closes it. */
export const useListKeys = ({ openId, onOpen, rows, neighbours }: ListKeys): void => {
  const commands = useMemo(() => {
    const go = (step: 1 | -1): boolean => {
      const target = rows === undefined ? neighbourOf(neighbours, openId, step) : focusRow(rows.current, openId, step)
      if (target !== undefined && (openId !== undefined || rows === undefined)) onOpen(target)
      return target !== undefined
    }
    return {
      next: () => go(1),
      previous: () => go(-1),
      close: () => {
        if (openId !== undefined) onOpen(undefined)
        return openId !== undefined
      },
    }
  }, [rows, neighbours, openId, onOpen])
  useListCommands(commands)
}

const neighbourOf = (
  { previous, next, first }: Neighbours = {},
  openId: number | undefined,
  step: number,
): number | undefined => {
  if (step < 0) return previous
  return openId === undefined ? first : next
}

/** Moves the focus by a row, and returns the id of its record. */
const focusRow = (list: HTMLElement | null, openId: number | undefined, step: number): number | undefined => {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[role="row"][data-key]') ?? [])]
  const active = rows.findIndex((row) => row.contains(document.activeElement))
  const current = active === -1 ? rows.findIndex((row) => row.dataset.key === String(openId)) : active
  const row = rows[Math.max(0, current + step)]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return row === undefined ? undefined : Number(row.dataset.key)
}
