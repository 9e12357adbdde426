import type { Resource } from '@muster/model'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Parameters, Row } from './list-query.ts'
import { usePages } from './requests.ts'

/** Rows per request. */
export const pageSize = 50

/** The offset of the page that contains the row. */
export const pageOffset = (row: number): number => Math.floor(row / pageSize) * pageSize

export const scrolledPage = (parameters: Parameters, offset: number): Parameters => ({
  ...parameters,
  limit: String(pageSize),
  offset: String(offset),
})

interface ScrolledRows {
  /** Undefined if the row has not arrived yet. */
  readonly rowAt: (index: number) => Row | undefined
  readonly isLoading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** While somebody drags the scrollbar, pages are requested only where it starts and where it stays this long. */
const settleMs = 40

/** The pages around the rows in view. */
export const useScrolledRows = (
  resource: Resource,
  parameters: Parameters,
  start: number,
  end: number,
): ScrolledRows => {
  const firstOffset = pageOffset(start)
  const offsets = Array.from(
    { length: Math.max(1, Math.ceil((end - firstOffset) / pageSize)) },
    (_, index) => firstOffset + index * pageSize,
  )
  const wanted = useDebounced(offsets.join())
  const pages = usePages(
    resource,
    offsets.map((offset) => ({
      parameters: scrolledPage(parameters, offset),
      enabled: wanted.split(',').includes(String(offset)),
    })),
  )
  const rowAt = useCallback(
    (index: number): Row | undefined =>
      pages[Math.floor((index - firstOffset) / pageSize)]?.data?.data[index % pageSize],
    [pages, firstOffset],
  )
  return {
    rowAt,
    isLoading: pages.some(({ data, error }) => data === undefined && error === null),
    error: pages.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const page of pages) if (page.error !== null) void page.refetch()
    },
  }
}

/** The first change applies at once, further ones after `settleMs` without a change. */
const useDebounced = (value: string): string => {
  const [debounced, setDebounced] = useState(value)
  const changedAt = useRef(0)
  useLayoutEffect(() => {
    const isFirstChange = performance.now() - changedAt.current > settleMs
    changedAt.current = performance.now()
    if (isFirstChange) return setDebounced(value)
    const timer = setTimeout(() => setDebounced(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
