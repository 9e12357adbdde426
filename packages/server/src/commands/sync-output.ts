import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'
import { maxReportedErrors } from '../import-export/row-error.ts'
import { printable } from '../printable.ts'
import type { RecordChange } from '../sync/options.ts'
import type { ResourcePlan } from '../sync/plan.ts'
import type { SyncResult } from '../sync/sync.ts'
import type { Io } from './command.ts'
import { formatCount } from './progress.ts'

export interface ChangeOutput {
  add(change: RecordChange): void
  /** Ends the report of a run that is not refused. Throws if it cannot be written. */
  complete(): void
  /** Ends the list of a dry run, and removes a report that is not complete. */
  close(): void
}

/** Prints the first changes of a dry run, and writes all changes to the report. Undefined if neither is requested. */
export const openChangeOutput = (
  { stdout }: Io,
  { dryRun, reportFile }: { readonly dryRun: boolean; readonly reportFile: string | undefined },
): ChangeOutput | undefined => {
  if (!dryRun && reportFile === undefined) return undefined
  const report = reportFile === undefined ? undefined : openReport(reportFile)
  let count = 0
  let isComplete = false
  return {
    add(change) {
      count += 1
      if (dryRun && count <= maxReportedErrors) stdout.write(`${printable(describeChange(change))}\n`)
      report?.write(`${JSON.stringify(change)}\n`)
    },
    complete() {
      report?.complete()
      isComplete = true
    },
    close() {
      if (dryRun && count > maxReportedErrors)
        stdout.write(
          `… and ${formatCount(count - maxReportedErrors, 'more change', 'more changes')}${isComplete ? ': see all with --report FILE' : ''}\n`,
        )
      if (!isComplete) report?.remove()
    },
  }
}

const bufferLength = 65_536

interface Report {
  write(text: string): void
  complete(): void
  remove(): void
}

const openReport = (file: string): Report => {
  const handle = openReportFile(file)
  let buffer = ''
  /** Some file systems report a full disk only when the data is synced to it. */
  const flush = ({ toDisk }: { readonly toDisk: boolean }): void => {
    try {
      writeFileSync(handle, buffer, { flush: toDisk })
    } catch (error) {
      throw new OperatorError(`The report ${file} cannot be written (${errorCode(error)}): nothing was changed.`, {
        cause: error,
      })
    }
    buffer = ''
  }
  return {
    write(text) {
      buffer += text
      if (buffer.length > bufferLength) flush({ toDisk: false })
    },
    complete() {
      flush({ toDisk: true })
      closeSync(handle)
    },
    remove() {
      closeSync(handle)
      rmSync(file, { force: true })
    },
  }
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'

/** The report can contain personal values, so only its owner can read it. An existing file is never overwritten. */
const openReportFile = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new OperatorError(`${file} already exists: name another file for the report.`, { cause: error })
    throw new OperatorError(`The report ${file} cannot be written: check its folder and permissions.`, { cause: error })
  }
}

const describeChange = ({ resource, kind, id, line, key, fields }: RecordChange): string => {
  const keyText = Object.entries(key)
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(', ')
  const place = id === null ? `line ${line}` : String(id)
  const differences = Object.entries(fields).map(([name, { old, new: value }]) =>
    kind === 'created' ? `${name} ${formatValue(value)}` : `${name} ${formatValue(old)} → ${formatValue(value)}`,
  )
  return `${kind.padEnd(7)}  ${resource} ${place} (${keyText})${differences.length === 0 ? '' : `: ${differences.join(', ')}`}`
}

const maxValueLength = 80

const formatValue = (value: unknown): string => {
  const text = value === null || value === '***' ? String(value) : JSON.stringify(value)
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength - 1)}…`
}

export const summarizePlans = (
  { sources, plans, refusals, outcome }: SyncResult,
  dryRun: boolean,
  seconds: number,
): string => {
  const lines = sources.reduce((sum, source) => sum + source.lines, 0)
  const rejectedLines = sources.reduce((sum, source) => sum + source.rejectedLines, 0)
  const read = `${formatCount(lines, 'line', 'lines')} read, ${formatCount(rejectedLines, 'line', 'lines')} rejected`
  if (outcome === 'rejected') return `${read}: nothing was changed. Fix them, or skip them with --skip-bad.\n`
  const sentences = [
    ...plans.map((plan) => summarizePlan(plan)),
    ...refusals,
    `${read}${ending(outcome, dryRun, seconds)}`,
  ]
  return sentences.map((sentence) => `${printable(sentence)}\n`).join('')
}

const ending = (outcome: SyncResult['outcome'], dryRun: boolean, seconds: number): string => {
  if (outcome === 'refused') return ': refused, nothing was changed.'
  if (outcome === 'unchanged') return '. Nothing to change.'
  return dryRun ? '. Nothing was changed: this was a dry run.' : `. Stored in ${seconds.toFixed(1)} s.`
}

const numbers = new Intl.NumberFormat('en')

const summarizePlan = ({ resource, goneRule, created, updated, unchanged, gone }: ResourcePlan): string => {
  const goneWord = goneRule.action === 'delete' ? 'deleted' : 'marked'
  const parts = [
    `${numbers.format(created)} created`,
    `${numbers.format(updated)} updated`,
    ...(goneRule.action === 'keep' ? [] : [`${numbers.format(gone)} ${goneWord}`]),
    `${numbers.format(unchanged)} unchanged`,
  ]
  return `${resource.path}: ${parts.join(', ')}`
}
