import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import type { FileFormat } from '@muster/model'
import { fileFormats, listedResources } from '@muster/model'
import { readDatabaseUrl } from '../config/database-url.ts'
import { OperatorError } from '../errors.ts'
import { erasedKeysFile } from '../import-export/erased-keys-file.ts'
import type { Sink } from '../import-export/export.ts'
import { copyFileName, exportTo } from '../import-export/export.ts'
import { manifestFile } from '../import-export/manifest.ts'
import type { Output } from '../import-export/output.ts'
import type { Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { exists } from './exists.ts'
import { makeFolder } from './make-folder.ts'
import { findResource, formatOf, resourcePaths } from './named-resource.ts'
import { ownerUrl } from './owner-url.ts'
import { partialFile } from './partial-file.ts'
import { formatCount, openProgress } from './progress.ts'

export const exportCommand = command({
  name: 'export',
  summary: 'Export records in the format that import reads.',
  details: [
    'Writes all records in the order of their ids, from one snapshot. Connects as DATABASE_READ_URL if it is set, otherwise as DATABASE_URL, and changes nothing.',
    'With --all, writes one file per resource, history and erased-keys.ndjson, all from the same snapshot, and last manifest.json with the number of records in each. Together they are a copy of all records, of their history and of the keys by which erased persons are refused. Only the owner may read the keys: connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL.',
  ],
  usage: ['export <resource> [options]', 'export --all DIR [options]'],
  arguments: [{ name: 'resource', optional: true, about: `One of ${resourcePaths.join(', ')}` }],
  options: {
    format: {
      type: 'string',
      choices: fileFormats,
      about: 'Format; default: by the name of the output file, otherwise csv',
    },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'Write to a file, which appears once it is complete' },
    all: {
      type: 'string',
      value: 'DIR',
      about: 'Write every resource to a folder, which is created if it is missing',
    },
    force: { type: 'boolean', about: 'Overwrite existing files; without it, they are an error' },
  },
  examples: [
    ['export employees > employees.csv', 'All employees as CSV'],
    ['export jobs --format ndjson | jq .title', 'One JSON object per line'],
    ['export --all backup/', 'All records; read them back with "muster import --all backup/"'],
  ],
  async run({ values, positionals, env, io }) {
    const connectionString = values.all === undefined ? readDatabaseUrl(env, 'DATABASE_READ_URL') : ownerUrl(env)
    const format = values.format as FileFormat | undefined
    const progress = openProgress(io)
    const sinks =
      values.all === undefined
        ? [resourceSink(positionals, values.output, format, io)]
        : folderSinks(values.all, positionals, values.output, format)
    const copy =
      values.all === undefined
        ? undefined
        : { erasedKeys: toCopyFile(values.all, erasedKeysFile), manifest: toCopyFile(values.all, manifestFile) }
    const outputs = copy === undefined ? sinks : [...sinks, copy.erasedKeys, copy.manifest]
    if (!values.force) await rejectExistingFiles(outputs, values.all)
    if (values.all !== undefined) await makeFolder(values.all)
    await exportTo({
      connectionString,
      sinks,
      ...(copy === undefined ? {} : { copy }),
      onProgress: ({ name, rows }) => progress.step(`${name}: ${formatCount(rows, 'record', 'records')} written`),
    })
    return exitCodes.success
  },
})

interface FileOutput extends Output {
  /** Undefined for standard output. */
  readonly file?: string
}
type FileSink = Sink & FileOutput

const rejectExistingFiles = async (outputs: readonly FileOutput[], folder: string | undefined): Promise<void> => {
  const existingFiles: string[] = []
  for (const { file } of outputs) if (file !== undefined && (await exists(file))) existingFiles.push(file)
  if (existingFiles.length === 0) return
  throw new OperatorError(
    folder === undefined
      ? `${existingFiles[0]} already exists: add --force to overwrite it, or name another file.`
      : `${folder} already contains ${existingFiles.map((file) => basename(file)).join(', ')}: add --force to overwrite, or name another folder.`,
  )
}

const resourceSink = (
  positionals: readonly string[],
  file: string | undefined,
  format: FileFormat | undefined,
  io: Io,
): FileSink => {
  const resource = findResource(positionals[0])
  if (file === undefined || file === '-')
    return { resource, format: format ?? 'csv', open: async () => keepOpen(io.stdout) }
  return { resource, format: format ?? formatOf(file, fileFormats) ?? 'csv', ...toFile(file) }
}

const folderSinks = (
  folder: string,
  positionals: readonly string[],
  file: string | undefined,
  format: FileFormat = 'csv',
): FileSink[] => {
  if (positionals.length > 0) throw new UsageError(`--all exports everything: remove "${positionals[0]}".`)
  if (file !== undefined) throw new UsageError('--all chooses the file names itself: remove --output.')
  return listedResources.map((resource) => ({
    resource,
    format,
    ...toCopyFile(folder, copyFileName({ resource, format })),
  }))
}

const toFile = (file: string): FileOutput => ({ file, ...partialFile(file) })

/** A file of a copy. Once one is replaced, the copy is incomplete until its manifest is written again. */
const toCopyFile = (folder: string, name: string): FileOutput => {
  const file = join(folder, name)
  const { open, close } = partialFile(file)
  return {
    file,
    open,
    async close() {
      await rm(join(folder, manifestFile), { force: true })
      await close()
    },
  }
}

/** Standard output stays open after the last row. */
const keepOpen = (stdout: Io['stdout']): Writable =>
  new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, (error) => done(error)) })
