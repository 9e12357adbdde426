/** Pages of lists in the order of their days, of which the server has counted the records of each day. */
import type { Page } from '@muster/client'

interface DayWindow {
  readonly from: string
  readonly to: string
  /** How many records of the first day are on the page before. */
  readonly skip: number
}

/** The days whose records are on a page. Undefined if the page is past the end. */
export const dayWindow = (counts: ReadonlyMap<string, number>, offset: number, size: number): DayWindow | undefined => {
  let before = 0
  let window: DayWindow | undefined
  for (const [day, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (count > 0 && before + count > offset && before < offset + size)
      window = window === undefined ? { from: day, to: day, skip: offset - before } : { ...window, to: day }
    before += count
  }
  return window
}

const pageSize = 200

/** All records of a list that is known to be short: almost always one request. */
export const readAll = async <Row>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<Page<Row>>,
): Promise<Row[]> => {
  const first = await read({ limit: pageSize, offset: 0 })
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, Math.ceil(first.meta.total / pageSize) - 1) }, (_, index) =>
      read({ limit: pageSize, offset: (index + 1) * pageSize }),
    ),
  )
  return [first, ...rest].flatMap(({ data }) => data)
}
