/** In charge of what a run says at its end: the table of sources, what failed and how to see it again, and the count. */
import type { Contract } from './contract.ts'
import type { Oracle } from './oracle.ts'
import type { Count, Failure, Tally } from './tally.ts'

/** Failures of one source that are told in full; the rest are counted. */
const toldInFull = 5

export const reportText = (tally: Tally, contract: Contract, oracle: Oracle): string =>
  [
    ...failureLines(tally.failures),
    '',
    ...tableLines(tally.counts),
    '',
    unseenLine(contract, oracle),
    ...(tally.busy === 0 ? [] : [`503 with Retry-After was waited out ${tally.busy} times`]),
  ].join('\n')

const failureLines = (failures: readonly Failure[]): string[] => {
  const told = new Map<string, number>()
  return failures.flatMap(({ source, about, lines }) => {
    const before = told.get(source) ?? 0
    told.set(source, before + 1)
    if (before > toldInFull) return []
    if (before === toldInFull) return ['', `FAILED ${source}: and more`]
    return ['', `FAILED ${source}: ${about}`, ...lines.map((line) => `  ${shortened(line)}`)]
  })
}

const longestLine = 4_000

const shortened = (line: string): string =>
  line.length <= longestLine ? line : `${line.slice(0, longestLine)}… (${line.length} characters)`

const tableLines = (counts: readonly Count[]): string[] => {
  const rows = [
    ['source', 'passed', 'failed', 'seconds'],
    ...counts.map(({ source, passed, failed, ms }) => [
      source,
      String(passed),
      String(failed),
      (ms / 1_000).toFixed(1),
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

/** A declared answer that never came is no fault, and worth knowing. */
const unseenLine = ({ operations }: Contract, { seen }: Oracle): string => {
  const declared = operations.flatMap(({ id, responses }) => [...responses.keys()].map((status) => ({ id, status })))
  const unseen = declared.filter(({ id, status }) => !seen.has(`${id} ${status}`))
  const byStatus = Map.groupBy(unseen, ({ status }) => status)
  const list = [...byStatus].map(([status, of]) => `${status} of ${of.length} operations`).join(', ')
  const met = `${declared.length - unseen.length} of ${declared.length} declared answers were met`
  return list === '' ? met : `${met}; not met: ${list}`
}

export const countLine = ({ counts }: Tally): string => {
  const sum = (of: (count: Count) => number) => counts.reduce((total, count) => total + of(count), 0)
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`
}
