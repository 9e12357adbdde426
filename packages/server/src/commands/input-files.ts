/** What import and sync have in common on the command line: the files they read, their progress and their errors. */
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileFormat, Resource } from '@muster/model'
import { didYouMean, fileFormats, history, resourceAt } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { ErasedKeysSource } from '../import-export/erased-keys-file.ts'
import { erasedKeysFile } from '../import-export/erased-keys-file.ts'
import type { Manifest } from '../import-export/manifest.ts'
import { manifestFile, parseManifest } from '../import-export/manifest.ts'
import { describeRowErrors, maxReportedErrors } from '../import-export/row-error.ts'
import type { InputFormat, Source, TextSource } from '../import-export/source.ts'
import type { SourceResult } from '../import-export/source-result.ts'
import type { ReadProgress } from '../import-export/staging.ts'
import { standardInput } from '../import-export/text-blocks.ts'
import { printable } from '../printable.ts'
import type { Io } from './command.ts'
import { UsageError } from './command.ts'
import { exists, statsOf } from './exists.ts'
import { findResource, formatOf, resourcePaths } from './named-resource.ts'
import type { Progress } from './progress.ts'
import { formatCount } from './progress.ts'

/** The file or standard input that the arguments name. */
export const sourceNamed = async <Format extends InputFormat>(
  positionals: readonly string[],
  format: Format | undefined,
  { stdin, formats }: Pick<Io, 'stdin'> & { readonly formats: readonly Format[] },
): Promise<Source<Format>> => {
  const resource = findResource(positionals[0])
  const file = positionals[1] ?? '-'
  if (file !== '-') {
    const fileFormat = format ?? formatOf(file, formats)
    if (fileFormat === undefined)
      throw new UsageError(`The name of ${file} does not show its format: add ${formatChoices(formats)}.`)
    return fileSource(resource, file, fileFormat)
  }
  if (format === undefined)
    throw new UsageError(`The format of standard input is unknown: add ${formatChoices(formats)}.`)
  if (stdin.isTTY) throw new UsageError('Name a file, or pipe one into standard input.')
  return { resource, format, name: standardInput, bytes: () => stdin }
}

const formatChoices = (formats: readonly InputFormat[]): string =>
  formats.map((format) => `--format ${format}`).join(' or ')

const chunkBytes = 65536

/** The keys of erased persons in the folder; undefined if it has none. */
export const erasedKeysIn = async (folder: string): Promise<ErasedKeysSource | undefined> => {
  const file = join(folder, erasedKeysFile)
  return (await exists(file)) ? { bytes: () => openFile(file) } : undefined
}

/** What the copy in the folder contains; undefined if nothing says so. */
export const manifestIn = async (folder: string): Promise<Manifest | undefined> => {
  const file = join(folder, manifestFile)
  return (await exists(file)) ? parseManifest(await readFile(file, 'utf8')) : undefined
}

const openFile = (file: string): AsyncIterable<Uint8Array> => createReadStream(file, { highWaterMark: chunkBytes })

const fileSource = async <Format extends InputFormat>(
  resource: Source['resource'],
  file: string,
  format: Format,
): Promise<Source<Format>> => {
  await requireFile(file)
  return { resource, format, name: basename(file), bytes: () => openFile(file) }
}

const requireFile = async (file: string): Promise<void> => {
  const stats = await statsOf(file)
  if (stats === undefined) throw new OperatorError(`There is no file ${file}.`)
  if (stats.isDirectory()) throw new OperatorError(`${file} is a folder: name it with --all ${file}.`)
}

/**
 * The files of some resources in a folder, named as `muster export --all` names them. The file of the history is left out if
 * it is not one of them, because such a copy can also be synced.
 */
export const sourcesIn = async (
  folder: string,
  positionals: readonly string[],
  resources: readonly Resource[],
): Promise<TextSource[]> => {
  if (positionals.length > 0) throw new UsageError(`--all reads the files in ${folder}: remove "${positionals[0]}".`)
  const names = await readdir(folder).catch(() => {
    throw new OperatorError(`There is no folder ${folder}.`)
  })
  const sources: TextSource[] = []
  for (const name of names
    .filter((file) => formatOf(file, fileFormats) !== undefined && file !== erasedKeysFile)
    .sort()) {
    const format = formatOf(name, fileFormats) as FileFormat
    const path = name.slice(0, -format.length - 1)
    if (path === history.path && !resources.includes(history)) continue
    if (!resources.some((resource) => resource.path === path))
      throw new OperatorError(
        `${join(folder, name)} is not named after a resource${didYouMean(path, resourcePaths, (known) => `${known}.${format}`)}`,
      )
    if (sources.some(({ resource }) => resource.path === path))
      throw new OperatorError(`${folder} contains ${path} in both formats: keep one of the files.`)
    sources.push(await fileSource(resourceAt(path), join(folder, name), format))
  }
  if (sources.length === 0)
    throw new OperatorError(`${folder} contains no file named after a resource, such as employees.csv.`)
  return sources
}

export const showProgress = (progress: Progress, event: ReadProgress, startedAt: number): void => {
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

/** What the readers decided or left out. */
export const printNotes = ({ stdout }: Io, sources: readonly SourceResult[]): void => {
  for (const { source, notes } of sources)
    for (const note of notes) stdout.write(`${printable(`${source.name}: ${note}`)}\n`)
}

export const printErrors = ({ stdout }: Io, sources: readonly SourceResult[]): void => {
  const reported = sources
    .flatMap(({ source, errors }) => errors.map((group) => ({ group, name: source.name })))
    .slice(0, maxReportedErrors)
  for (const { group, name } of reported) stdout.write(`${printable(describeRowErrors(name, group))}\n`)
  const total = sources.reduce((sum, source) => sum + source.errorCount, 0)
  const rest = total - reported.reduce((sum, { group }) => sum + group.count, 0)
  if (rest > 0) stdout.write(`… and ${formatCount(rest, 'more error', 'more errors')}\n`)
}
