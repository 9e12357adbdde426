import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileFormat } from '@muster/model'
import { didYouMean, fileFormats } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { ImportProgress, ImportResult } from '../import-export/import.ts'
import { importSources } from '../import-export/import.ts'
import { describeRowError, maxReportedErrors } from '../import-export/row-error.ts'
import type { Source } from '../import-export/staging.ts'
import { standardInput } from '../import-export/text-blocks.ts'
import type { Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { findResource, formatOf, resourcePaths } from './named-resource.ts'
import { announcedOwnerUrl } from './owner-url.ts'
import type { Progress } from './progress.ts'
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
        'Import all files in the folder that are named after resources, in one transaction; they may refer to each other',
    },
    'dry-run': { type: 'boolean', about: 'Read and validate everything, and store nothing' },
    'skip-bad': { type: 'boolean', about: 'Skip invalid lines and store the others' },
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
        ? [await sourceNamed(positionals, values.format as FileFormat | undefined, io)]
        : await sourcesIn(values.all, positionals)
    const dryRun = values['dry-run'] ?? false
    const result = await importSources({
      connectionString: announcedOwnerUrl(env, io),
      sources,
      dryRun,
      skipBad: values['skip-bad'] ?? false,
      onProgress: (event) => showProgress(progress, event, startedAt),
    }).finally(() => progress.clear())
    printErrors(io, result)
    io.stdout.write(`${summarize(result, dryRun, (performance.now() - startedAt) / 1000)}\n`)
    return result.accepted ? exitCodes.success : exitCodes.failure
  },
})

const sourceNamed = async (
  positionals: readonly string[],
  format: FileFormat | undefined,
  { stdin }: Io,
): Promise<Source> => {
  const resource = findResource(positionals[0])
  const file = positionals[1] ?? '-'
  if (file !== '-') {
    const fileFormat = format ?? formatOf(file)
    if (fileFormat === undefined)
      throw new UsageError(`The name of ${file} does not show its format: add --format csv or --format ndjson.`)
    return fileSource(resource, file, fileFormat)
  }
  if (format === undefined)
    throw new UsageError('The format of standard input is unknown: add --format csv or --format ndjson.')
  if (stdin.isTTY) throw new UsageError('Name a file, or pipe one into standard input.')
  return { resource, format, name: standardInput, bytes: () => stdin }
}

const chunkBytes = 65536

const fileSource = async (resource: Source['resource'], file: string, format: FileFormat): Promise<Source> => {
  await requireFile(file)
  return { resource, format, name: basename(file), bytes: () => createReadStream(file, { highWaterMark: chunkBytes }) }
}

const requireFile = async (file: string): Promise<void> => {
  const stats = await stat(file).catch(() => undefined)
  if (stats === undefined) throw new OperatorError(`There is no file ${file}.`)
  if (stats.isDirectory()) throw new OperatorError(`${file} is a folder: import it with --all ${file}.`)
}

/** The files of a folder, named as `muster export --all` names them. */
const sourcesIn = async (folder: string, positionals: readonly string[]): Promise<Source[]> => {
  if (positionals.length > 0) throw new UsageError(`--all imports the files in ${folder}: remove "${positionals[0]}".`)
  const names = await readdir(folder).catch(() => {
    throw new OperatorError(`There is no folder ${folder}.`)
  })
  const sources: Source[] = []
  for (const name of names.filter((file) => formatOf(file) !== undefined).sort()) {
    const format = formatOf(name) as FileFormat
    const path = name.slice(0, -format.length - 1)
    if (!resourcePaths.includes(path))
      throw new OperatorError(
        `${join(folder, name)} is not named after a resource${didYouMean(path, resourcePaths, (known) => `${known}.${format}`)}`,
      )
    if (sources.some(({ resource }) => resource.path === path))
      throw new OperatorError(`${folder} contains ${path} in both formats: keep one of the files.`)
    sources.push(await fileSource(findResource(path), join(folder, name), format))
  }
  if (sources.length === 0)
    throw new OperatorError(`${folder} contains no file named after a resource, such as employees.csv.`)
  return sources
}

const showProgress = (progress: Progress, event: ImportProgress, startedAt: number): void => {
  switch (event.phase) {
    case 'reading':
      progress.update(() => {
        const rate = Math.round((event.lines * 1000) / Math.max(1, performance.now() - startedAt))
        return `${event.source.name}: ${formatCount(event.lines, 'line', 'lines')} · ${formatCount(rate, 'line', 'lines')}/s`
      })
      break
    case 'checking':
      progress.step(`${formatCount(event.lines, 'line', 'lines')} read; checking references and unique values`)
      break
    case 'storing':
      progress.step('storing')
      break
  }
}

const printErrors = ({ stdout }: Io, { sources }: ImportResult): void => {
  const lines = sources.flatMap(({ source, errors }) => errors.map((error) => describeRowError(source.name, error)))
  for (const line of lines.slice(0, maxReportedErrors)) stdout.write(`${line}\n`)
  const total = sources.reduce((sum, source) => sum + source.errorCount, 0)
  if (total > maxReportedErrors)
    stdout.write(`… and ${formatCount(total - maxReportedErrors, 'more error', 'more errors')}\n`)
}

const summarize = ({ sources, accepted }: ImportResult, dryRun: boolean, seconds: number): string => {
  const lines = sources.reduce((sum, source) => sum + source.lines, 0)
  const rejectedLines = sources.reduce((sum, source) => sum + source.rejectedLines, 0)
  const countsText = `${formatCount(lines, 'line', 'lines')} read, ${formatCount(rejectedLines, 'line', 'lines')} rejected`
  if (!accepted) return `${countsText}: nothing was stored. Fix them, or skip them with --skip-bad.`
  const storedText = formatCount(lines - rejectedLines, 'record', 'records')
  return dryRun
    ? `${countsText}: ${storedText} would be stored.`
    : `${countsText}, ${storedText} stored in ${seconds.toFixed(1)} s.`
}
