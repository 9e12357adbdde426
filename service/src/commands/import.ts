/** In charge of the command that brings records in from files: what to read, how far it is, what was refused. */

import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileFormat } from '@muster/model'
import { didYouMean, fileFormats } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { ImportProgress, ImportResult } from '../transfer/import.ts'
import { importSources } from '../transfer/import.ts'
import { describeRefusal, mostTold } from '../transfer/refusal.ts'
import type { Source } from '../transfer/staging.ts'
import { standardInput } from '../transfer/text-blocks.ts'
import type { Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { formatOf, resourceNamed, resourcePaths } from './named-resource.ts'
import { announcedOwnerUrl } from './owner-url.ts'
import type { Progress } from './progress.ts'
import { count, progressOn } from './progress.ts'

export const importCommand = command({
  name: 'import',
  summary: 'Bring records in from a CSV or NDJSON file.',
  details: [
    'Every line is checked by the same rules as a create, references and unique values included, and each fault is told with its line, field and reason. All lines are stored in one transaction; if one is bad, nothing is.',
    'CSV: the first line names the fields; an empty cell is null, "" an empty text. NDJSON: one object per line. A field that is left out takes its default. Ids that are given are kept; others are made.',
    'Connects as DATABASE_MIGRATE_URL where that is set, else as DATABASE_URL. Creates of the same resource wait while rows are stored; reads do not.',
  ],
  usage: ['import <resource> [file] [options]', 'import --all DIR [options]'],
  arguments: [
    { name: 'resource', optional: true, about: `One of ${resourcePaths.join(', ')}` },
    { name: 'file', optional: true, about: 'A file ending in .csv or .ndjson; "-" or nothing for standard input' },
  ],
  options: {
    format: { type: 'string', choices: fileFormats, about: 'Format, where the name of the file does not tell it' },
    all: {
      type: 'string',
      value: 'DIR',
      about:
        'Import every resource that has a file in the folder, all in one transaction; files may refer to each other',
    },
    'dry-run': { type: 'boolean', about: 'Read and check everything, and store nothing' },
    'skip-bad': { type: 'boolean', about: 'Leave bad lines out and store the others' },
  },
  examples: [
    ['import attendance 2026.csv --dry-run', 'See what would be refused'],
    ['import candidates people.ndjson --skip-bad', 'Store what is right, hear of what is not'],
    ['import --all backup/', 'Bring in what "muster export --all backup/" wrote'],
  ],
  async run({ values, positionals, env, io }) {
    const started = performance.now()
    const progress = progressOn(io)
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
      onProgress: (now) => showProgress(progress, now, started),
    }).finally(() => progress.clear())
    report(io, result)
    io.stdout.write(`${closing(result, dryRun, (performance.now() - started) / 1000)}\n`)
    return result.accepted ? exitCodes.done : exitCodes.refused
  },
})

const sourceNamed = async (
  positionals: readonly string[],
  format: FileFormat | undefined,
  { stdin }: Io,
): Promise<Source> => {
  const resource = resourceNamed(positionals[0])
  const file = positionals[1] ?? '-'
  if (file !== '-') {
    const told = format ?? formatOf(file)
    if (told === undefined)
      throw new UsageError(`The name of ${file} does not tell its format: add --format csv or --format ndjson.`)
    return fileSource(resource, file, told)
  }
  if (format === undefined)
    throw new UsageError('Standard input has no name that tells its format: add --format csv or --format ndjson.')
  if (stdin.isTTY) throw new UsageError('Name a file, or pipe one into standard input.')
  return { resource, format, name: standardInput, bytes: () => stdin }
}

const chunkBytes = 65536

const fileSource = async (resource: Source['resource'], file: string, format: FileFormat): Promise<Source> => {
  await requireFile(file)
  return { resource, format, name: basename(file), bytes: () => createReadStream(file, { highWaterMark: chunkBytes }) }
}

const requireFile = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new OperatorError(`There is no file ${file}.`)
  if (found.isDirectory()) throw new OperatorError(`${file} is a folder: import it with --all ${file}.`)
}

/** A folder's files by the names of resources, as an export of everything writes them. */
const sourcesIn = async (folder: string, positionals: readonly string[]): Promise<Source[]> => {
  if (positionals.length > 0)
    throw new UsageError(`--all imports what it finds in ${folder}: leave "${positionals[0]}" out.`)
  const names = await readdir(folder).catch(() => {
    throw new OperatorError(`There is no folder ${folder}.`)
  })
  const sources: Source[] = []
  for (const name of names.filter((file) => formatOf(file) !== undefined).sort()) {
    const format = formatOf(name) as FileFormat
    const path = name.slice(0, -format.length - 1)
    if (!resourcePaths.includes(path))
      throw new OperatorError(
        `${join(folder, name)} is named after no resource${didYouMean(path, resourcePaths, (known) => `${known}.${format}`)}`,
      )
    if (sources.some(({ resource }) => resource.path === path))
      throw new OperatorError(`${folder} holds ${path} in both formats: keep one of the files.`)
    sources.push(await fileSource(resourceNamed(path), join(folder, name), format))
  }
  if (sources.length === 0)
    throw new OperatorError(`${folder} holds no file that is named after a resource, such as employees.csv.`)
  return sources
}

const showProgress = (progress: Progress, now: ImportProgress, started: number): void => {
  switch (now.phase) {
    case 'reading':
      progress.moving(() => {
        const rate = Math.round((now.lines * 1000) / Math.max(1, performance.now() - started))
        return `${now.source.name}: ${count(now.lines, 'line', 'lines')} · ${count(rate, 'line', 'lines')}/s`
      })
      break
    case 'checking':
      progress.step(`${count(now.lines, 'line', 'lines')} read, checking references and unique values`)
      break
    case 'storing':
      progress.step('storing')
      break
  }
}

const report = ({ stdout }: Io, { sources }: ImportResult): void => {
  const lines = sources.flatMap(({ source, refusals }) =>
    refusals.map((refusal) => describeRefusal(source.name, refusal)),
  )
  for (const line of lines.slice(0, mostTold)) stdout.write(`${line}\n`)
  const faults = sources.reduce((sum, source) => sum + source.faults, 0)
  if (faults > mostTold) stdout.write(`… and ${count(faults - mostTold, 'more fault', 'more faults')}\n`)
}

const closing = ({ sources, accepted }: ImportResult, dryRun: boolean, seconds: number): string => {
  const lines = sources.reduce((sum, source) => sum + source.lines, 0)
  const refused = sources.reduce((sum, source) => sum + source.refusedLines, 0)
  const counted = `${count(lines, 'line', 'lines')} read, ${count(refused, 'line', 'lines')} refused`
  if (!accepted) return `${counted}: nothing was stored. Mend them, or leave them out with --skip-bad.`
  const stored = count(lines - refused, 'record', 'records')
  return dryRun ? `${counted}: ${stored} would be stored.` : `${counted}, ${stored} stored in ${seconds.toFixed(1)} s.`
}
