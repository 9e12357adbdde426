import { readFileSync, realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Environment } from '../config/read-setting.ts'
import { settings } from '../config/settings.ts'

const certificateParameters = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * Flags of Node's permission model: they allow network access and reading the files listed here, but no writes and no
 * child processes.
 */
export const permissionFlags = (env: Environment): string[] => [
  '--permission',
  // Before Node 25 the permission model does not restrict the network, and the flag is an error.
  ...(process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
  // Hides Node's warning at every start that --allow-net is experimental.
  '--disable-warning=ExperimentalWarning',
  ...[...readableFolders(), ...filesInSettings(env)].map((path) => `--allow-fs-read=${path}`),
]

/**
 * Folders the server reads: those of this package and of all packages it depends on. A package in a node_modules folder
 * stands for the whole folder, because npm usually installs all of them in one.
 */
const readableFolders = (): string[] => {
  const manifests = new Set([fileURLToPath(new URL('../../package.json', import.meta.url))])
  // A set also iterates over the entries that are added on the way.
  for (const manifest of manifests) for (const path of dependenciesOf(manifest)) manifests.add(path)
  const folders = new Set([...manifests].map(installFolderOf))
  return [...folders].filter((folder) => ![...folders].some((other) => other !== folder && folder.startsWith(other)))
}

const dependenciesOf = (manifest: string): string[] => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    try {
      // Links, such as those of npm workspaces, are resolved, because Node checks the permission for the real path.
      return realpathSync(findPackageJSON(name, pathToFileURL(manifest)) as string)
    } catch {
      // Optional dependencies may be missing. If another one is missing, the server reports it when it starts.
      return []
    }
  })
}

const installFolderOf = (manifest: string): string => {
  const parent = manifest.lastIndexOf(`${sep}node_modules${sep}`)
  return parent < 0 ? `${dirname(manifest)}${sep}` : manifest.slice(0, parent + `${sep}node_modules${sep}`.length)
}

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
