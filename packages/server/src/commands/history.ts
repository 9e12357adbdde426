import { trackedFields, trackedResources } from '@muster/model'
import type { InputFormat } from '../import-export/source.ts'
import { inputFormats } from '../import-export/source.ts'
import type { LoadHistoryResult } from '../sync/history/load.ts'
import { loadHistory } from '../sync/history/load.ts'
import type { HistoryFrom, HistoryPlan } from '../sync/history/plan.ts'
import { versionLines } from '../sync/history/version-lines.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { printErrors, printNotes, showProgress, sourceNamed } from './input-files.ts'
import { announcedOwnerUrl } from './owner-url.ts'
import { formatCount, openProgress } from './progress.ts'
import { adviseMap, readMap, requireMapFor } from './sync-maps.ts'

const trackedPaths = trackedResources.map(({ path }) => path)

export const historyCommand = command({
  name: 'history',
  summary: 'Load what records were before from a job-history export.',
  details: [
    'The file has one line per version of a record: its id or natural key, the day on which the version began in the column "on", and any tracked fields from that day on. The order of the lines makes no difference.',
    'Replaces the recorded history of these fields of the records in the file. The last version of each record must have its present values, because a load changes no record. The first must begin where the recorded history of the record does, or before.',
    'From which day on the history is complete moves back only if the file has every record and every tracked field.',
    'Formats and maps are those of sync. If a line is invalid, nothing is stored. All changes are one transaction; reads and creates continue. Connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL.',
    'With --dry-run, exits with 0 if nothing would change, 3 if something would, and 1 if a line is invalid.',
  ],
  usage: ['history load <resource> [file] [options]'],
  arguments: [
    { name: 'load', about: 'The only action' },
    { name: 'resource', about: `One of ${trackedPaths.join(', ')}` },
    {
      name: 'file',
      optional: true,
      about: 'A file ending in .csv, .ndjson or .xlsx; "-" or nothing reads standard input',
    },
  ],
  options: {
    format: { type: 'string', choices: inputFormats, about: 'Format, if the file name does not end in it' },
    map: {
      type: 'string',
      value: 'FILE',
      about: 'Translate the columns of another product: a JSON file as for sync, in which a column can also be "on"',
    },
    'dry-run': { type: 'boolean', about: 'Check everything, show what would change, and change nothing' },
  },
  examples: [
    ['history load employees job-history.csv --dry-run', 'See what would change'],
    ['history load employees jobs.xlsx --map ./job-history.json', 'Load the export of another product'],
  ],
  async run({ values, positionals: [action, ...positionals], env, io }) {
    if (action !== 'load')
      throw new UsageError(
        action === undefined ? 'Name the action: muster history load.' : `There is no action "${action}": it is load.`,
      )
    const startedAt = performance.now()
    const progress = openProgress(io)
    const named = await sourceNamed(positionals, values.format as InputFormat | undefined, {
      ...io,
      formats: inputFormats,
    })
    const record = named.resource
    if (trackedFields(record).length === 0)
      throw new UsageError(`${record.path} have no tracked fields. Those that have: ${trackedPaths.join(', ')}.`)
    const map = values.map === undefined ? undefined : await readMap(values.map, trackedResources.map(versionLines))
    if (map !== undefined) requireMapFor(map, record)
    const dryRun = values['dry-run'] ?? false
    const result = await loadHistory({
      connectionString: announcedOwnerUrl(env, io),
      record,
      source: { ...named, resource: map?.resource ?? versionLines(record), ...(map === undefined ? {} : { map }) },
      dryRun,
      onProgress: (event) => showProgress(progress, event, startedAt),
    })
      .catch((error) => {
        throw adviseMap(error, 'write a map and name it with --map')
      })
      .finally(() => progress.clear())
    printNotes(io, [result.source])
    printErrors(io, [result.source])
    io.stdout.write(summarize(result, dryRun, (performance.now() - startedAt) / 1000))
    if (result.outcome === 'rejected') return exitCodes.failure
    return dryRun && result.outcome === 'changed' ? exitCodes.changes : exitCodes.success
  },
})

const summarize = ({ source, plan, outcome }: LoadHistoryResult, dryRun: boolean, seconds: number): string => {
  const read = `${formatCount(source.lines, 'line', 'lines')} read, ${formatCount(source.rejectedLines, 'line', 'lines')} rejected`
  if (plan === undefined) return `${read}: nothing was changed. Fix them.\n`
  const ending =
    outcome === 'unchanged'
      ? 'Nothing to change.'
      : dryRun
        ? 'Nothing was changed: this was a dry run.'
        : `Stored in ${seconds.toFixed(1)} s.`
  const { path } = source.source.resource
  return `${path}: ${summarizePlan(plan)}\n${path}: ${summarizeHistoryFrom(plan.historyFrom)}\n${read}. ${ending}\n`
}

const summarizePlan = ({ records, versions, loaded, replaced, kept }: HistoryPlan): string =>
  [
    `${formatCount(versions, 'version', 'versions')} of ${formatCount(records, 'record', 'records')}`,
    `${formatCount(loaded, 'change', 'changes')} loaded`,
    `${formatCount(replaced, 'recorded change', 'recorded changes')} replaced`,
    `${formatCount(kept, 'change', 'changes')} recorded already`,
  ].join(', ')

const summarizeHistoryFrom = ({ before, after, missingRecords, missingFields, latest }: HistoryFrom): string => {
  const moved =
    after === before
      ? `the history is still complete from ${before} on`
      : `the history is complete from ${after} on, before from ${before} on`
  const reasons = [
    ...(missingRecords === 0 ? [] : [`${formatCount(missingRecords, 'record is', 'records are')} not in the file`]),
    ...(missingFields.length === 0 ? [] : [`the file has no ${missingFields.join(', ')}`]),
  ]
  if (reasons.length > 0) return `${moved}: ${reasons.join(', and ')}`
  return latest === undefined
    ? moved
    : `${moved}: line ${latest.line} is the first version of an older record, and begins on ${latest.day}`
}
