/** In charge of the command that writes records out: to standard output, to a file, or everything into a folder. */
import type { FileHandle } from 'node:fs/promises'
import { access, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import type { FileFormat } from '@muster/model'
import { fileFormats, resources } from '@muster/model'
import { readDatabaseUrl } from '../config.ts'
import { OperatorError } from '../errors.ts'
import type { Sink } from '../transfer/export.ts'
import { exportTo } from '../transfer/export.ts'
import type { Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { makeFolder } from './make-folder.ts'
import { formatOf, resourceNamed, resourcePaths } from './named-resource.ts'
import { count, progressOn } from './progress.ts'

export const exportCommand = command({
  name: 'export',
  summary: 'Write records out in the form that import reads.',
  details: [
    'All records in the order of their ids, as they are at one moment. Connects as DATABASE_READ_URL where that is set, else as DATABASE_URL, and changes nothing.',
    'With --all, one file per resource, all of the same moment: together they are a copy of the whole database.',
  ],
  usage: ['export <resource> [options]', 'export --all DIR [options]'],
  arguments: [{ name: 'resource', optional: true, about: `One of ${resourcePaths.join(', ')}` }],
  options: {
    format: {
      type: 'string',
      choices: fileFormats,
      about: 'Format; csv where neither this nor the name of the file says another',
    },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'Write to a file, which appears once it is complete' },
    all: {
      type: 'string',
      value: 'DIR',
      about: 'Write every resource into a folder, which is created if it is missing',
    },
    force: { type: 'boolean', about: 'Overwrite existing files; without this, they are an error' },
  },
  examples: [
    ['export employees > employees.csv', 'Everyone, as CSV'],
    ['export jobs --format ndjson | jq .title', 'One JSON object per line'],
    ['export --all backup/', 'Everything, to be read back with "muster import --all backup/"'],
  ],
  async run({ values, positionals, env, io }) {
    const connectionString = readDatabaseUrl(env, 'DATABASE_READ_URL')
    const format = values.format as FileFormat | undefined
    const progress = progressOn(io)
    const sinks =
      values.all === undefined
        ? [oneSink(positionals, values.output, format, io)]
        : allSinks(values.all, positionals, values.output, format)
    if (!values.force) await refuseExisting(sinks, values.all)
    if (values.all !== undefined) await makeFolder(values.all)
    await exportTo({
      connectionString,
      sinks,
      onProgress: ({ resource, rows }) =>
        progress.step(`${resource.path}: ${count(rows, 'record', 'records')} written`),
    })
    return exitCodes.done
  },
})

interface FileSink extends Sink {
  /** Undefined for standard output. */
  readonly file?: string
}

const refuseExisting = async (sinks: readonly FileSink[], folder: string | undefined): Promise<void> => {
  const existing: string[] = []
  for (const { file } of sinks) if (file !== undefined && (await exists(file))) existing.push(file)
  if (existing.length === 0) return
  throw new OperatorError(
    folder === undefined
      ? `${existing[0]} exists: add --force to overwrite it, or name another file.`
      : `${folder} holds ${existing.map((file) => basename(file)).join(', ')} already: add --force to overwrite, or name another folder.`,
  )
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const oneSink = (
  positionals: readonly string[],
  file: string | undefined,
  format: FileFormat | undefined,
  io: Io,
): FileSink => {
  const resource = resourceNamed(positionals[0])
  if (file === undefined || file === '-')
    return { resource, format: format ?? 'csv', open: async () => passOn(io.stdout) }
  return { resource, format: format ?? formatOf(file) ?? 'csv', ...toFile(file) }
}

const allSinks = (
  folder: string,
  positionals: readonly string[],
  file: string | undefined,
  format: FileFormat = 'csv',
): FileSink[] => {
  if (positionals.length > 0) throw new UsageError(`--all exports everything: leave "${positionals[0]}" out.`)
  if (file !== undefined) throw new UsageError('--all names the files itself: leave --output out.')
  return resources.map((resource) => ({ resource, format, ...toFile(join(folder, `${resource.path}.${format}`)) }))
}

/** Written beside its place and moved in whole: an export that was cut short is never taken for a complete one. */
const toFile = (file: string): Pick<FileSink, 'file' | 'open' | 'close'> => {
  const partial = `${file}.partial`
  return {
    file,
    async open() {
      const out = (await openToWrite(partial, file)).createWriteStream()
      out.once('error', () => void rm(partial, { force: true }))
      return out
    },
    close: () => rename(partial, file),
  }
}

const openToWrite = async (partial: string, file: string): Promise<FileHandle> => {
  try {
    return await open(partial, 'w')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new OperatorError(`${file} cannot be written (${reason}): name another place.`, { cause })
  }
}

/** Standard output stays open after the last row. */
const passOn = (stdout: Io['stdout']): Writable =>
  new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, (error) => done(error)) })
