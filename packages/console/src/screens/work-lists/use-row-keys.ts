import type { RefObject } from 'react'
import { useMemo } from 'react'
import { useListCommands } from '../../frame/key-handlers.ts'
import { useWayBack } from '../../frame/way-back.ts'

/** `j` and `k` go from row to row, to the link that opens its record; `b` leads back. */
export const useRowKeys = (list: RefObject<HTMLElement | null>): void => {
  const { go: goBack } = useWayBack('/today')
  const commands = useMemo(() => {
    const move = (step: 1 | -1) => (): boolean => {
      const links = [...(list.current?.querySelectorAll<HTMLElement>('tbody th[scope="row"] a') ?? [])]
      const link = links[Math.max(0, links.indexOf(document.activeElement as HTMLElement) + step)]
      link?.focus()
      link?.scrollIntoView({ block: 'nearest' })
      return link !== undefined
    }
    return {
      next: move(1),
      previous: move(-1),
      back: () => {
        goBack()
        return true
      },
    }
  }, [list, goBack])
  useListCommands(commands)
}
