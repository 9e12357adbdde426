/** Finds the rows of totals in the sample of a file, and the rule that skips them. */
import { isTotalsWord } from '../totals.ts'
import type { SampleRow } from './sample.ts'

export interface TotalsRows {
  readonly lines: readonly number[]
  /** The values by column, as `skip_where` has them. */
  readonly rule: Readonly<Record<string, string | readonly string[]>>
  /** The rows that are no totals. */
  readonly others: readonly SampleRow[]
}

export const findTotals = (header: SampleRow, rows: readonly SampleRow[]): TotalsRows => {
  const values = new Map<string, Set<string>>()
  const lines: number[] = []
  const others: SampleRow[] = []
  for (const row of rows) {
    const index = row.cells.findIndex(({ text }) => text !== '')
    const column = header.cells[index]?.text ?? ''
    const text = row.cells[index]?.text ?? ''
    if (column === '' || !isTotalsWord(text)) {
      others.push(row)
      continue
    }
    lines.push(row.line)
    values.set(column, (values.get(column) ?? new Set()).add(text))
  }
  const rule = Object.fromEntries(
    [...values].map(([column, texts]) => [column, texts.size === 1 ? ([...texts][0] as string) : [...texts]]),
  )
  return { lines, rule, others }
}
