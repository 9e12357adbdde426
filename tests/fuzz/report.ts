import type { Contract } from './contract.ts'
import type { Oracle } from './oracle.ts'
import type { Failure, Results, SourceCounts } from './results.ts'

/** Number of failures printed per source. */
const maxShownFailures = 5

export const reportText = (results: Results, contract: Contract, oracle: Oracle): string =>
  [
    ...failureLines(results.failures),
    '',
    ...sourceLines(results.counts),
    '',
    ...operationLines(contract, oracle),
    '',
    missingResponsesLine(contract, oracle),
    ...(results.busyRetries === 0 ? [] : [`waited ${results.busyRetries} times after 503 with Retry-After`]),
  ].join('\n')

const failureLines = (failures: readonly Failure[]): string[] => {
  const shownPerSource = new Map<string, number>()
  return failures.flatMap(({ source, about, lines }) => {
    const shownBefore = shownPerSource.get(source) ?? 0
    shownPerSource.set(source, shownBefore + 1)
    if (shownBefore > maxShownFailures) return []
    if (shownBefore === maxShownFailures) return ['', `FAILED ${source}: further failures are not shown`]
    return ['', `FAILED ${source}: ${about}`, ...lines.map((line) => `  ${shorten(line)}`)]
  })
}

const maxLineLength = 4_000

const shorten = (line: string): string =>
  line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}… (${line.length} characters)`

const sourceLines = (counts: readonly SourceCounts[]): string[] =>
  tableLines([
    ['source', 'passed', 'failed', 'seconds'],
    ...counts.map(({ source, passed, failed, ms }) => [
      source,
      String(passed),
      String(failed),
      (ms / 1_000).toFixed(1),
    ]),
  ])

/** The number of responses of each operation by status, and how many of them deviate. */
const operationLines = ({ operations }: Contract, { operationCounts }: Oracle): string[] => {
  const counts = operations.flatMap(({ id }) => {
    const count = operationCounts.get(id)
    return count === undefined ? [] : [{ id, ...count }]
  })
  const statuses = [...new Set(counts.flatMap((count) => [...count.statuses.keys()]))].sort((a, b) => a - b)
  return tableLines([
    ['operation', ...statuses.map(String), 'deviations'],
    ...counts.map(({ id, statuses: byStatus, deviating }) => [
      id,
      ...statuses.map((status) => String(byStatus.get(status) ?? 0)),
      String(deviating),
    ]),
  ])
}

const tableLines = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

/** Lists the declared responses that never occurred. Such a response is no failure, but it was not tested. */
const missingResponsesLine = ({ operations }: Contract, { seenResponses }: Oracle): string => {
  const declaredResponses = operations.flatMap(({ id, responses }) =>
    [...responses.keys()].map((status) => ({ id, status })),
  )
  const missingResponses = declaredResponses.filter(({ id, status }) => !seenResponses.has(`${id} ${status}`))
  const missingByStatus = Map.groupBy(missingResponses, ({ status }) => status)
  const missingText = [...missingByStatus]
    .map(([status, responses]) => `${status} of ${responses.length} operations`)
    .join(', ')
  const occurredText = `${declaredResponses.length - missingResponses.length} of ${declaredResponses.length} declared responses occurred`
  return missingText === '' ? occurredText : `${occurredText}; missing: ${missingText}`
}

export const totalsLine = ({ counts }: Results): string => {
  const sumOf = (figureOf: (count: SourceCounts) => number) =>
    counts.reduce((total, count) => total + figureOf(count), 0)
  return `${sumOf(({ passed }) => passed)} passed, ${sumOf(({ failed }) => failed)} failed`
}
