import type { FileFormat } from '@muster/model'
import { fileFormats, listedResources } from '@muster/model'
import type { ImportResult } from '../import-export/import.ts'
import { importSources } from '../import-export/import.ts'
import { manifestFile } from '../import-export/manifest.ts'
import { command, exitCodes } from './command.ts'
import { erasedKeysIn, manifestIn, printErrors, showProgress, sourceNamed, sourcesIn } from './input-files.ts'
import { resourcePaths } from './named-resource.ts'
import { announcedOwnerUrl } from './owner-url.ts'
import { formatCount, openProgress } from './progress.ts'

export const importCommand = command({
  name: 'import',
  summary: 'Import records from a CSV or NDJSON file.',
  details: [
    'Every line is validated by the same rules as a create, including references and unique values. Each error is reported with line, field and reason. All lines are stored in one transaction: if one is invalid, nothing is stored.',
    'CSV: the first line names the fields; an empty cell is null, "" is an empty text. NDJSON: one object per line. Omitted fields get their defaults. Ids in the file are kept; missing ones are generated.',
    'Connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL. Creates of the same resource wait while rows are stored; reads do not.',
  ],
  usage: ['import <resource> [file] [options]', 'import --all DIR [options]'],
  arguments: [
    { name: 'resource', optional: true, about: `One of ${resourcePaths.join(', ')}` },
    { name: 'file', optional: true, about: 'A file ending in .csv or .ndjson; "-" or nothing reads standard input' },
  ],
  options: {
    format: { type: 'string', choices: fileFormats, about: 'Format, if the file name does not end in it' },
    all: {
      type: 'string',
      value: 'DIR',
      about:
        'Import all files in the folder that are named after resources, their history, and erased-keys.ndjson, in one transaction; they may refer to each other. If the folder has a manifest.json, all files must be there with all records',
    },
    'dry-run': { type: 'boolean', about: 'Read and validate everything, and store nothing' },
    'skip-bad': { type: 'boolean', about: 'Skip invalid lines and store the others' },
    'restore-erased': { type: 'boolean', about: 'Accept lines of people whose data was erased' },
  },
  examples: [
    ['import attendance 2026.csv --dry-run', 'See what would be rejected'],
    ['import candidates people.ndjson --skip-bad', 'Store the valid lines, report the others'],
    ['import --all backup/', 'Import what "muster export --all backup/" wrote'],
  ],
  async run({ values, positionals, env, io }) {
    const startedAt = performance.now()
    const progress = openProgress(io)
    const sources =
      values.all === undefined
        ? [await sourceNamed(positionals, values.format as FileFormat | undefined, { ...io, formats: fileFormats })]
        : await sourcesIn(values.all, positionals, listedResources)
    const erasedKeys = values.all === undefined ? undefined : await erasedKeysIn(values.all)
    const connectionString = announcedOwnerUrl(env, io)
    const manifest = values.all === undefined ? undefined : await manifestIn(values.all)
    if (values.all !== undefined && manifest === undefined)
      io.stderr.write(
        `${values.all} has no ${manifestFile}, which "muster export --all" writes last: if it is such a copy, it may be incomplete.\n`,
      )
    const dryRun = values['dry-run'] ?? false
    const result = await importSources({
      connectionString,
      sources,
      ...(erasedKeys === undefined ? {} : { erasedKeys }),
      ...(manifest === undefined ? {} : { manifest }),
      dryRun,
      skipBad: values['skip-bad'] ?? false,
      restoreErased: values['restore-erased'] ?? false,
      onProgress: (event) => showProgress(progress, event, startedAt),
    }).finally(() => progress.clear())
    printErrors(io, result.sources)
    io.stdout.write(`${summarize(result, dryRun, (performance.now() - startedAt) / 1000)}\n`)
    return result.accepted ? exitCodes.success : exitCodes.failure
  },
})

const summarize = ({ sources, erasedKeys, accepted }: ImportResult, dryRun: boolean, seconds: number): string => {
  const lines = sources.reduce((sum, source) => sum + source.lines, 0)
  const rejectedLines = sources.reduce((sum, source) => sum + source.rejectedLines, 0)
  const countsText = `${formatCount(lines, 'line', 'lines')} read, ${formatCount(rejectedLines, 'line', 'lines')} rejected`
  if (!accepted) return `${countsText}: nothing was stored. Fix them, or skip them with --skip-bad.`
  const recordsText = formatCount(lines - rejectedLines, 'record', 'records')
  const keysText = formatCount(erasedKeys, 'key of erased persons', 'keys of erased persons')
  const storedText = erasedKeys === 0 ? recordsText : `${recordsText} and ${keysText}`
  return dryRun
    ? `${countsText}: ${storedText} would be stored.`
    : `${countsText}, ${storedText} stored in ${seconds.toFixed(1)} s.`
}
