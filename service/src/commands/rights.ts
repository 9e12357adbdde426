/** In charge of what a serving process may touch, as flags of Node's permission model: the network, and files it has to read. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../config.ts'
import { settings } from '../config.ts'

/** Folders of the project that a service reads: its code, what it depends on, and the descriptions it serves. */
const folders = ['service', 'model', 'contract', 'node_modules']
const certificateParameters = ['sslrootcert', 'sslcert', 'sslkey']

/** Nothing may be written, no process started, no other file read. */
export const servingFlags = (env: Environment): string[] => [
  '--permission',
  '--allow-net',
  // Says at every start that --allow-net may still change.
  '--disable-warning=ExperimentalWarning',
  ...[
    ...folders.map((folder) => fileURLToPath(new URL(`../../../${folder}`, import.meta.url))),
    ...namedFiles(env),
  ].map((path) => `--allow-fs-read=${path}`),
]

/** The files that settings name: tokens, and the certificates of a database's address. */
const namedFiles = (env: Environment): string[] =>
  settings.flatMap(({ name }) => {
    const value = env[name]?.trim() ?? ''
    if (value === '') return []
    if (name.endsWith('_FILE')) return [resolve(value)]
    const urls = /_URLS?$/.test(name) ? value.split(',').map((url) => url.trim()) : []
    return urls.filter((url) => URL.canParse(url)).flatMap(certificatesOf)
  })

const certificatesOf = (url: string): string[] => {
  const { searchParams } = new URL(url)
  return certificateParameters.flatMap((parameter) => searchParams.getAll(parameter).map((file) => resolve(file)))
}
