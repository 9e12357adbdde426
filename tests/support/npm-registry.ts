/** An npm registry on the loopback address: verdaccio. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { killAtExit } from './kill-at-exit.ts'

const run = promisify(execFile)

/**
 * Installed by the test: as a package of the repository it would add 321 others to package-lock.json. It names exact
 * versions of its dependencies, and `--min-release-age` rejects versions of theirs that are younger than seven days.
 */
const manifest = {
  private: true,
  dependencies: { verdaccio: '6.10.4' },
  // One dependency names a dist-tag (node-fetch@cjs), which `--min-release-age` and some registries do not know.
  overrides: { 'node-fetch': '2.7.0' },
}

export interface NpmRegistry {
  /** Ends with a slash. */
  readonly url: string
  /** Lines for the .npmrc of a user who may publish. */
  readonly login: string
  stop(): Promise<void>
}

/**
 * Starts a registry whose files are in `folder`. Packages of `scope` exist only there; all others come from the registry
 * that npm is configured for. `env` is the environment of npm.
 */
export const startNpmRegistry = async (folder: string, scope: string, env: NodeJS.ProcessEnv): Promise<NpmRegistry> => {
  await mkdir(folder, { recursive: true })
  const uplink = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).stdout.trim()
  const program = await installVerdaccio(folder, uplink, env)
  const configFile = join(folder, 'config.yaml')
  // YAML includes JSON.
  await writeFile(configFile, JSON.stringify(configuration(folder, scope, uplink)))
  const port = await freePort()
  const child = spawn(process.execPath, [program, '--config', configFile, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  killAtExit(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = once(child, 'exit')
  // verdaccio sends { verdaccio_started: true } when it listens.
  const started = await Promise.race([once(child, 'message'), exited.then(() => undefined)])
  if (started === undefined) throw new Error(`verdaccio did not start:\n${output}`)
  const url = `http://127.0.0.1:${port}/`
  const userToken = await createUser(url).catch((error: unknown) => {
    // Otherwise the channel to verdaccio would keep this process alive.
    child.kill()
    throw error
  })
  return {
    url,
    login: `//127.0.0.1:${port}/:_authToken=${userToken}`,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}

const installVerdaccio = async (folder: string, source: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const prefix = join(folder, 'program')
  await mkdir(prefix)
  await writeFile(join(prefix, 'package.json'), JSON.stringify(manifest))
  const options = ['--registry', source, '--ignore-scripts', '--no-audit', '--no-fund', '--min-release-age=7']
  await run('npm', ['install', ...options], { cwd: prefix, env, timeout: 300_000 })
  return join(prefix, 'node_modules/.bin/verdaccio')
}

const configuration = (folder: string, scope: string, uplink: string) => ({
  storage: join(folder, 'storage'),
  auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: 1 } },
  uplinks: { npm: { url: uplink, timeout: '60s' } },
  packages: {
    [`${scope}/*`]: { access: '$all', publish: '$authenticated' },
    '**': { access: '$all', proxy: 'npm' },
  },
  web: { enable: false },
  // A package is published in one request, with the tarball as base64.
  max_body_size: '100mb',
  log: { type: 'stdout', format: 'json', level: 'warn' },
})

/** Creates a user as `npm login --auth-type=legacy` does, and returns a token. */
const createUser = async (url: string): Promise<string> => {
  const name = 'release'
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  })
  const body = (await response.json()) as { readonly token?: string }
  if (body.token === undefined) throw new Error(`verdaccio created no user: ${response.status}`)
  return body.token
}
