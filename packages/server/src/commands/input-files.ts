/** What import and sync have in common on the command line: the files they read, their progress and their errors. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileFormat } from '@muster/model'
import { didYouMean } from '@muster/model'
import { OperatorError } from '../errors.ts'
import { describeRowError, maxReportedErrors } from '../import-export/row-error.ts'
import type { SourceResult } from '../import-export/source-result.ts'
import type { ReadProgress, Source } from '../import-export/staging.ts'
import { standardInput } from '../import-export/text-blocks.ts'
import type { Io } from './command.ts'
import { UsageError } from './command.ts'
import { findResource, formatOf, resourcePaths } from './named-resource.ts'
import type { Progress } from './progress.ts'
import { formatCount } from './progress.ts'

/** The file or standard input that the arguments name. */
export const sourceNamed = async (
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
  if (stats.isDirectory()) throw new OperatorError(`${file} is a folder: name it with --all ${file}.`)
}

/** The files of a folder, named as `muster export --all` names them. */
export const sourcesIn = async (folder: string, positionals: readonly string[]): Promise<Source[]> => {
  if (positionals.length > 0) throw new UsageError(`--all reads the files in ${folder}: remove "${positionals[0]}".`)
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

export const printErrors = ({ stdout }: Io, sources: readonly SourceResult[]): void => {
  const lines = sources.flatMap(({ source, errors }) => errors.map((error) => describeRowError(source.name, error)))
  for (const line of lines.slice(0, maxReportedErrors)) stdout.write(`${line}\n`)
  const total = sources.reduce((sum, source) => sum + source.errorCount, 0)
  if (total > maxReportedErrors)
    stdout.write(`… and ${formatCount(total - maxReportedErrors, 'more error', 'more errors')}\n`)
}
