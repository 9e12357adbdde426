import type { ReactNode } from 'react'

/** A column of a list that has as many columns as there is room for. */
export interface ListColumn<Item, Context = undefined> {
  readonly id: string
  readonly title: string
  readonly isFigure?: boolean
  /** The share of the width that columns of a fixed width leave. */
  readonly share?: number
  /** A fixed width, in rem. */
  readonly rem?: number
  /** The width of the table from which on the column is shown. */
  readonly from: number
  readonly cell: (item: Item, context: Context) => ReactNode
}

type ColumnWidth = Pick<ListColumn<never>, 'id' | 'share' | 'rem'>

/** In per cent: the columns of a table with a fixed layout do not accept sums of lengths and percentages. */
export const columnWidths = (shown: readonly ColumnWidth[], width: number): Map<string, string> => {
  const fixed = (rem: number | undefined) => ((rem ?? 0) * 16) / width
  const remainder = 1 - shown.reduce((sum, { rem }) => sum + fixed(rem), 0)
  const shares = shown.reduce((sum, { share }) => sum + (share ?? 0), 0)
  return new Map(
    shown.map(({ id, share, rem }) => [
      id,
      `${(share === undefined ? fixed(rem) : (share / shares) * remainder) * 100}%`,
    ]),
  )
}
