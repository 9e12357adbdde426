import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../config/read-setting.ts'
import { settings } from '../config/settings.ts'

const folderOf = (url: string): string => fileURLToPath(new URL('.', url))

/** Folders the server reads: its package, the other packages of Muster, and their dependencies. */
const readableFolders = [
  folderOf(new URL('../../', import.meta.url).href),
  folderOf(import.meta.resolve('@muster/model/package.json')),
  folderOf(import.meta.resolve('@muster/demo-data/sizes')),
  folderOf(import.meta.resolve('fastify').replace(/(.*\/node_modules\/).*/, '$1')),
]
const certificateParameters = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * Flags of Node's permission model: they allow network access and reading the files listed here, but no writes and no
 * child processes.
 */
export const permissionFlags = (env: Environment): string[] => [
  '--permission',
  '--allow-net',
  // Hides Node's warning at every start that --allow-net is experimental.
  '--disable-warning=ExperimentalWarning',
  ...[...readableFolders, ...filesInSettings(env)].map((path) => `--allow-fs-read=${path}`),
]

/** Files named by settings: files with tokens or URLs, and the certificates that database URLs name. */
const filesInSettings = (env: Environment): string[] =>
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
