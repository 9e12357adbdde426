/** npm as users have it: without the settings of this repository. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

/** `npm run` passes the settings of this repository on to its scripts; they would forbid to install tarballs. */
export const withoutNpmSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_')))

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly publishConfig?: object
}

/** `folder` is relative to the root of the repository. */
export const readManifest = (folder: string): PackageManifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** Names of the folders in packages/ of which a release consists. */
export const publishedPackages = (): readonly string[] =>
  readdirSync(join(root, 'packages')).filter((name) => readManifest(`packages/${name}`).publishConfig !== undefined)

/** The oldest versions of Node that "engines" allows. */
export const supportedNodeVersions = (): readonly string[] =>
  (readManifest('packages/server').engines?.node ?? '').split(' || ').map((range) => range.replace('^', ''))

/** Downloads this version of Node if necessary, and returns the folder of its executable. */
export const nodeFolder = async (version: string): Promise<string> => {
  const { stdout } = await run(join(root, 'tools/scripts/with-node'), ['node', '-p', 'process.execPath'], {
    env: { ...process.env, WITH_NODE_VERSION: version },
  })
  return dirname(stdout.trim())
}
