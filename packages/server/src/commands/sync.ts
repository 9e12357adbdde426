import { resources } from '@muster/model'
import type { InputFormat } from '../import-export/source.ts'
import { inputFormats } from '../import-export/source.ts'
import { printable } from '../printable.ts'
import type { SyncResult } from '../sync/sync.ts'
import { syncSources } from '../sync/sync.ts'
import type { ExitCode } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { printErrors, printNotes, showProgress, sourceNamed, sourcesIn } from './input-files.ts'
import { resourcePaths } from './named-resource.ts'
import { announcedOwnerUrl } from './owner-url.ts'
import { openProgress } from './progress.ts'
import { readMap, requireMapFor, suggestMaps } from './sync-maps.ts'
import { parseEffectiveDay, parseGone, parseKey, parsePercent } from './sync-options.ts'
import { openChangeOutput, summarizePlans } from './sync-output.ts'

export const syncCommand = command({
  name: 'sync',
  summary: 'Make the records of a resource equal to a CSV, NDJSON or Excel file.',
  details: [
    'Reads and validates the file as import does. Records are found by id, or else by the natural key of the resource (employees and jobs by code, candidates by e-mail address). New records are created, those that differ are updated, the others are not touched. Only the columns of the file change; an empty cell empties the field.',
    'Records missing from the file are kept, unless --gone or --delete is given. If more than 5 % of the records (and more than 10, or more than half of them) would be marked or deleted, or more than 50 % updated, the sync is refused, because the file may have been cut off. It is also refused if the file is empty, or if nearly all of its lines would create records beside the existing ones, because its keys may have a new form.',
    'A map also says how the file is written: delimiter, encoding, numbers, dates, lines to skip. What can be read in two ways is an error unless the map decides it. Of an Excel file, the first sheet is read, and of formulas their stored values.',
    'All changes are one transaction. Reads and creates continue. Connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL.',
    'With --dry-run, exits with 0 if nothing would change, 3 if something would, and 1 if the sync is refused.',
  ],
  usage: ['sync <resource> [file] [options]', 'sync --all DIR [options]', 'sync [resource] --make-map FILE'],
  arguments: [
    { name: 'resource', optional: true, about: `One of ${resourcePaths.join(', ')}` },
    {
      name: 'file',
      optional: true,
      about: 'A file ending in .csv, .ndjson or .xlsx; "-" or nothing reads standard input',
    },
  ],
  options: {
    format: { type: 'string', choices: inputFormats, about: 'Format, if the file name does not end in it' },
    all: {
      type: 'string',
      value: 'DIR',
      about:
        'Sync all files in the folder that are named after resources, in one transaction; they may refer to each other',
    },
    map: {
      type: 'string',
      value: 'NAME|FILE',
      about: 'Translate the columns of another product: the name of an included map, or a JSON file',
    },
    'make-map': {
      type: 'string',
      value: 'FILE',
      about:
        'Draft a map from the columns of this file and print it; what is not certain is an open question in it. Needs no database, and the resource is optional',
    },
    key: { type: 'string', value: 'FIELD,…', about: 'Find records by these fields, instead of id or natural key' },
    empty: { type: 'string', choices: ['null', 'keep'], about: 'What an empty cell does; default: null' },
    gone: {
      type: 'string',
      multiple: true,
      value: 'FIELD=VALUE,…',
      about:
        'Set these fields of records missing from the file; the value "today" stands for the current date in UTC. With --all: RESOURCE:FIELD=VALUE,… for each resource',
    },
    delete: { type: 'boolean', about: 'Delete records that are missing from the file' },
    'at-most': {
      type: 'string',
      value: 'N%',
      about:
        'Replace the limit of 5 % on marked or deleted records; above 50 %, also raise the limit on updated records; 100% also allows any number of new ones',
    },
    'effective-on': {
      type: 'string',
      value: 'YYYY-MM-DD',
      about:
        'The day of the changes in the history, instead of today in UTC. A stage has the day in stage_entered_on. Refused if a field has a later change already, or if the day is in the future',
    },
    'skip-bad': { type: 'boolean', about: 'Skip invalid lines; their records stay as they are' },
    'restore-erased': { type: 'boolean', about: 'Accept lines of people whose data was erased' },
    'dry-run': { type: 'boolean', about: 'Show what would change, and change nothing' },
    'show-values': { type: 'boolean', about: 'Show the values of personal fields instead of ***' },
    report: { type: 'string', value: 'FILE', about: 'Write every change to a file, as NDJSON' },
  },
  examples: [
    ['sync employees staff.csv --dry-run', 'See what would change'],
    ['sync employees bamboo.csv --map bamboohr-employees', 'Sync the file of another product'],
    ['sync employees --make-map export.csv > our-map.json', 'Draft a map for a file that no included map fits'],
    ["sync employees staff.csv --gone 'status=terminated,alumni=1'", 'Mark those who are no longer in the file'],
    ['sync --all nightly/ --delete --at-most 10%', 'Make the database equal to an export'],
  ],
  async run({ values, positionals, env, io }) {
    if (values['make-map'] !== undefined) {
      const other = Object.keys(values).find((name) => name !== 'make-map' && name !== 'format')
      if (other !== undefined) throw new UsageError(`--make-map only drafts a map: leave out --${other}.`)
      const { makeMap } = await import('./make-map.ts')
      await makeMap(values['make-map'], { positionals, format: values.format as InputFormat | undefined, io })
      return exitCodes.success
    }
    const startedAt = performance.now()
    const progress = openProgress(io)
    const dryRun = values['dry-run'] ?? false
    if (values.all !== undefined && (values.map !== undefined || values.key !== undefined))
      throw new UsageError('--map and --key are for one resource: leave out --all.')
    const map = values.map === undefined ? undefined : await readMap(values.map)
    const sources =
      values.all === undefined
        ? [await sourceNamed(positionals, values.format as InputFormat | undefined, { ...io, formats: inputFormats })]
        : await sourcesIn(values.all, positionals, resources)
    const [{ resource } = { resource: undefined }] = sources
    if (map !== undefined && resource !== undefined) requireMapFor(map, resource)
    const key = values.key === undefined || resource === undefined ? undefined : parseKey(values.key, resource)
    const options = {
      key,
      goneRule: parseGone(
        values.gone ?? [],
        values.delete ?? false,
        sources.map((source) => source.resource),
        key,
      ),
      atMostPercent: values['at-most'] === undefined ? undefined : parsePercent(values['at-most']),
      effectiveOn:
        values['effective-on'] === undefined
          ? undefined
          : parseEffectiveDay(
              values['effective-on'],
              sources.map((source) => source.resource),
            ),
    }
    const connectionString = announcedOwnerUrl(env, io)
    const changes = openChangeOutput(io, { dryRun, reportFile: values.report })
    const result = await syncSources({
      connectionString,
      sources: sources.map((source) => (map === undefined ? source : { ...source, map })),
      ...options,
      emptyKeeps: values.empty === 'keep',
      skipBad: values['skip-bad'] ?? false,
      restoreErased: values['restore-erased'] ?? false,
      showValues: values['show-values'] ?? false,
      dryRun,
      ...(changes === undefined ? {} : { onChange: changes.add, onLastChange: changes.complete }),
      onProgress: (event) => showProgress(progress, event, startedAt),
    })
      .catch(async (error) => {
        throw values.all === undefined && resource !== undefined ? await suggestMaps(error, resource) : error
      })
      .finally(() => {
        progress.clear()
        changes?.close()
      })
    printNotes(io, result.sources)
    printErrors(io, result.sources)
    io.stdout.write(summarizePlans(result, dryRun, (performance.now() - startedAt) / 1000))
    if (result.note !== undefined) io.stderr.write(`${printable(result.note)}\n`)
    return exitCodeOf(result, dryRun)
  },
})

const exitCodeOf = ({ outcome }: SyncResult, dryRun: boolean): ExitCode => {
  if (outcome === 'rejected' || outcome === 'refused') return exitCodes.failure
  return dryRun && outcome === 'changed' ? exitCodes.changes : exitCodes.success
}
