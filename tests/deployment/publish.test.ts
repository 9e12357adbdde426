/**
 * Rehearses a release: the steps of the release workflow publish the packages into a registry on this machine, and
 * `npx` and `npm install` get them from there, under every version of Node in "engines".
 *
 * Not rehearsed is what exists only on GitHub and npmjs.com: signatures, trusted publishing and the provenance.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { sendRequest } from '../support/http.ts'
import type { PackageManifest } from '../support/npm.ts'
import {
  nodeFolder,
  publishedPackages,
  readManifest,
  supportedNodeVersions,
  withoutNpmSettings,
} from '../support/npm.ts'
import type { NpmRegistry } from '../support/npm-registry.ts'
import { startNpmRegistry } from '../support/npm-registry.ts'
import { waitUntil } from '../support/wait.ts'
import type { WorkflowStep } from '../support/workflow-step.ts'
import { findStep, runStep } from '../support/workflow-step.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const { version } = readManifest('.')
const names = publishedPackages()
const tarballName = (name: string): string => `muster-${name}-${version}.tgz`

/** npm 11 is part of both versions of Node; this one is as old as Node 24.11. */
const oldNpm = 'npm@11.6.1'

const compareStep = findStep('release.yml', 'packages', /CHANGELOG\.md/)
const buildStep = findStep('release.yml', 'packages', /npm run build/)
const packStep = findStep('release.yml', 'packages', /npm pack/)
const publishStep = findStep('release.yml', 'npm', /npm publish/)
/** npm creates a provenance only on GitHub and GitLab. */
const unsignedPublishStep: WorkflowStep = {
  ...publishStep,
  text: publishStep.text.replaceAll('--provenance', '--no-provenance'),
}

/** The environment of a machine that is not a CI, where nothing of this repository is set. */
const userEnv: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(withoutNpmSettings(process.env)).filter(
    ([name]) => !/^(?:CI$|GITHUB_|ACTIONS_|RUNNER_|GITLAB_|DATABASE_|MUSTER_|NODE_COMPILE_CACHE$)/.test(name),
  ),
)

let folder: string
let registry: NpmRegistry
/** In place of the checkout of the job `packages`: its files, without those that the steps create. */
let checkout: string
/** The folder of the job `npm`, which has no checkout, only the folder `release`. */
let jobFolder: string
let publishEnv: NodeJS.ProcessEnv

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-publish-'))
  // If the test runs as root, PostgreSQL runs as another user, who must be able to read its binaries.
  await chmod(folder, 0o755)
  checkout = await linkedCheckout()
  jobFolder = join(folder, 'npm')
  await mkdir(jobFolder)
  registry = await startNpmRegistry(join(folder, 'registry'), '@muster', userEnv)
  const npmrc = join(folder, 'npmrc')
  await writeFile(npmrc, `registry=${registry.url}\n${registry.login}\n`)
  publishEnv = {
    ...userEnv,
    ...workflowVariables(`v${version}`),
    npm_config_userconfig: npmrc,
    npm_config_cache: join(folder, 'cache'),
  }
})
after(async () => {
  await registry?.stop()
  await rm(folder, { recursive: true, force: true })
})

const workflowVariables = (tag: string) => ({
  GITHUB_REF_NAME: tag,
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'acme/muster',
})

const linkedCheckout = async (): Promise<string> => {
  const target = join(folder, 'checkout')
  await mkdir(target)
  // The build writes dist/ later.
  for (const name of new Set([...(await readdir(root)), 'dist']))
    if (name !== 'CHANGELOG.md' && name !== 'release') await symlink(join(root, name), join(target, name))
  // A release dates the heading of its version.
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const heading = `## ${version} (2026-01-31)`
  await writeFile(
    join(target, 'CHANGELOG.md'),
    changelog.replace(new RegExp(`^## ${RegExp.escape(version)} .*$`, 'm'), heading),
  )
  return target
}

/** What the registry knows about a package; undefined if it does not exist. */
const readPackument = async (name: string) => {
  const { status, json } = await sendRequest(`${registry.url}@muster%2f${name}`)
  return status === 404 ? undefined : json
}

const extractedFolder = (name: string): string => join(folder, 'extracted', name, 'package')
const packedManifest = (name: string): PackageManifest =>
  JSON.parse(readFileSync(join(extractedFolder(name), 'package.json'), 'utf8'))
const isMuster = (dependency: string): boolean => dependency.startsWith('@muster/')

describe('the release workflow', () => {
  const env = { ...userEnv, ...workflowVariables(`v${version}`) }

  it('accepts the tag of this version, and no other', async () => {
    await runStep(compareStep, { cwd: checkout, env })
    const otherTag = { ...env, ...workflowVariables('v0.0.1') }
    await assert.rejects(runStep(compareStep, { cwd: checkout, env: otherTag }), /has another version than v0\.0\.1/)
  })

  it('builds and packs every package that has a publishConfig', async () => {
    await runStep(buildStep, { cwd: root, env })
    await runStep(packStep, { cwd: checkout, env })
    const release = join(jobFolder, 'release')
    await rename(join(checkout, 'release'), release)
    assert.deepEqual(
      (await readdir(release)).sort(),
      [...names.map(tarballName), `muster-${version}.cdx.json`, 'SHA256SUMS'].sort(),
    )
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release })
    for (const name of names) {
      const target = join(folder, 'extracted', name)
      await mkdir(target, { recursive: true })
      await run('tar', ['-xzf', join(release, tarballName(name)), '-C', target])
    }
  })

  it('publishes nothing without provenance: npm refuses it outside of GitHub', async () => {
    await assert.rejects(runStep(publishStep, { cwd: jobFolder, env: publishEnv }), /provenance.+not supported/)
    for (const name of names) assert.equal(await readPackument(name), undefined, name)
  })

  it('publishes each package after those that it depends on, and npm has nothing to correct', async () => {
    const output = await runStep(unsignedPublishStep, { cwd: jobFolder, env: publishEnv })
    assert.doesNotMatch(output, /npm warn/i)
    const times = new Map<string, number>()
    for (const name of names) times.set(`@muster/${name}`, Date.parse((await readPackument(name)).time[version]))
    for (const name of names)
      for (const dependency of Object.keys(packedManifest(name).dependencies ?? {}).filter(isMuster))
        assert.ok(
          (times.get(dependency) as number) < (times.get(`@muster/${name}`) as number),
          `@muster/${name} before ${dependency}`,
        )
  })

  it('publishes what it has packed', async () => {
    for (const name of names) {
      const packument = await readPackument(name)
      assert.deepEqual(Object.keys(packument.versions), [version])
      assert.deepEqual(packument['dist-tags'], { latest: version })
      const { dist, bin, license, dependencies, engines } = packument.versions[version]
      const manifest = packedManifest(name)
      const tarball = readFileSync(join(jobFolder, 'release', tarballName(name)))
      assert.equal(dist.integrity, `sha512-${createHash('sha512').update(tarball).digest('base64')}`)
      assert.deepEqual({ bin, license, dependencies, engines }, expectedEntry(manifest))
      assert.equal(manifest.license, 'MIT')
      assert.equal(packument.readme, readFileSync(join(extractedFolder(name), 'README.md'), 'utf8'))
    }
    assert.deepEqual(packedManifest('server').bin, { muster: 'bin/muster.js' })
  })

  it('skips what is published when it runs again', async () => {
    const output = await runStep(unsignedPublishStep, { cwd: jobFolder, env: publishEnv })
    assert.doesNotMatch(output, /Publishing/)
  })

  it('cannot publish a version twice', async () => {
    for (const name of names)
      await assert.rejects(
        run('npm', ['publish', `./release/${tarballName(name)}`, '--no-provenance'], {
          cwd: jobFolder,
          env: publishEnv,
        }),
        /You cannot publish over the previously published versions/,
      )
  })
})

const expectedEntry = ({ bin, license, dependencies, engines }: PackageManifest) => ({
  bin,
  license,
  dependencies,
  engines,
})

/** Lists employees with the client, as a user would. */
const clientProgram = `
import { createClient } from '@muster/client'

const { data, meta } = await createClient({ baseUrl: process.argv[2] }).employees.list({ limit: 3 })
console.log(JSON.stringify({ data, total: meta.total }))
`

for (const nodeVersion of supportedNodeVersions())
  describe(`in an empty folder under Node ${nodeVersion}`, () => {
    let project: string
    let cache: string
    let env: NodeJS.ProcessEnv
    before(async () => {
      project = join(folder, `node-${nodeVersion}`)
      cache = join(folder, `cache-${nodeVersion}`)
      const npmrc = join(folder, `npmrc-${nodeVersion}`)
      await mkdir(project)
      await writeFile(npmrc, `registry=${registry.url}\n`)
      env = { ...userEnv, npm_config_userconfig: npmrc, npm_config_cache: cache, HOST: '127.0.0.1' }
      const path = [await nodeFolder(nodeVersion)]
      if (nodeVersion.startsWith('24.'))
        path.push(await installOldNpm({ ...env, npm_config_cache: join(folder, 'cache') }))
      env.PATH = [...path, process.env.PATH].join(delimiter)
    })

    const runUser = (cwd: string, command: string, ...args: readonly string[]) =>
      run(command, args, { cwd, env, timeout: 240_000 })

    it('npx @muster/server demo serves employees, the client lists them, and SIGTERM ends it', async (t) => {
      assert.equal((await runUser(project, 'node', '-p', 'process.versions.node')).stdout.trim(), nodeVersion)
      const port = await freePort()
      const origin = `http://127.0.0.1:${port}`
      const startedAt = performance.now()
      const child = spawn('npx', ['@muster/server', 'demo'], {
        cwd: project,
        env: { ...env, PORT: String(port) },
        // Without a terminal, npx installs without asking.
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const group = child.pid as number
      const stopAtExit = (): void => signalGroup(group, 'SIGTERM')
      process.once('exit', stopAtExit)
      const closed = once(child, 'close')
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk
        })
      try {
        const url = `${origin}/api/v1/employees?limit=3`
        const isServed = async (): Promise<boolean> => {
          if (child.exitCode !== null || child.signalCode !== null) throw new Error('npx ended')
          return sendRequest(url).then(
            ({ status }) => status === 200,
            () => false,
          )
        }
        await waitUntil(`${url} is 200`, isServed, 240_000)
        const seconds = (performance.now() - startedAt) / 1000
        const { data, meta } = (await sendRequest(url)).json
        assert.equal(data.length, 3)
        assert.ok(meta.total > 3)
        assert.deepEqual(await listWithClient(`${origin}/api`), { data, total: meta.total })
        await waitUntil('the demo prints its URLs', async () => output.includes('Muster is running.'))
        // The demo gets the signal, not npx: npm would pass it on to a shell, which ends without the demo.
        const { stdout: pid } = await run('pgrep', ['-g', String(group), '-f', '/muster demo$'])
        const stoppedAt = performance.now()
        process.kill(Number(pid), 'SIGTERM')
        const [exitCode] = await once(child, 'close', { signal: AbortSignal.timeout(60_000) })
        const stopSeconds = (performance.now() - stoppedAt) / 1000
        const { stdout: npmVersion } = await runUser(project, 'npm', '--version')
        t.diagnostic(
          `Node ${nodeVersion}, npm ${npmVersion.trim()}: employees ${seconds.toFixed(1)} s after npx with an empty cache, exit ${stopSeconds.toFixed(1)} s after SIGTERM`,
        )
        assert.equal(exitCode, 0)
        assert.match(output, /\nStopped\.\n/)
        await assert.rejects(fetch(origin))
        assert.throws(() => process.kill(-group, 0), { code: 'ESRCH' })
        // PostgreSQL removes this file when it has shut down.
        assert.equal(existsSync(join(project, '.demo/postgres/cluster/postmaster.pid')), false)
        assert.deepEqual(await readdir(project), ['.demo'])
      } catch (error) {
        throw new Error(output, { cause: error })
      } finally {
        await endGroup(group, closed)
        process.off('exit', stopAtExit)
      }
    })

    /** Installs the client in another empty folder, and returns what a program lists with it. */
    const listWithClient = async (baseUrl: string): Promise<unknown> => {
      const clientFolder = join(folder, `client-${nodeVersion}`)
      await mkdir(clientFolder)
      await runUser(clientFolder, 'npm', 'install', '@muster/client')
      assert.deepEqual((await readdir(join(clientFolder, 'node_modules'))).sort(), ['.package-lock.json', '@muster'])
      await assertInstalled(join(clientFolder, 'node_modules'), 'client')
      const { dependencies } = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8'))
      assert.deepEqual(dependencies, { '@muster/client': `^${version}` })
      await writeFile(join(clientFolder, 'list.mjs'), clientProgram)
      return JSON.parse((await runUser(clientFolder, 'node', 'list.mjs', baseUrl)).stdout)
    }

    it('what npx has installed is what the workflow has packed', async (t) => {
      const [installation, ...others] = await readdir(join(cache, '_npx'))
      assert.deepEqual(others, [])
      const modules = join(cache, '_npx', installation as string, 'node_modules')
      for (const name of names.filter((name) => name !== 'client')) await assertInstalled(modules, name)
      assert.deepEqual(
        (await readdir(join(modules, '@muster'))).sort(),
        names.filter((name) => name !== 'client').sort(),
      )
      const program = join(modules, '.bin/muster')
      assert.equal((await runUser(project, program, '--version')).stdout.trim(), version)
      const { stdout } = await runUser(project, 'du', '-sm', modules)
      t.diagnostic(`Node ${nodeVersion}: ${Number.parseInt(stdout, 10)} MB installed by npx`)
    })
  })

const assertInstalled = async (modules: string, name: string): Promise<void> => {
  const installed = join(modules, '@muster', name)
  await run('diff', ['--recursive', extractedFolder(name), installed]).catch(({ stdout }) => assert.fail(stdout))
  const manifest: PackageManifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(manifest.version, version)
  assert.equal(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))
  assert.match(readFileSync(join(installed, 'README.md'), 'utf8'), new RegExp(`^# @muster/${name}\n`))
  for (const file of Object.values(manifest.bin ?? {})) assert.ok(existsSync(join(installed, file)), file)
}

/** Returns the folder of its programs. */
const installOldNpm = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const prefix = join(folder, 'old-npm')
  await mkdir(prefix)
  await run('npm', ['install', '--prefix', prefix, oldNpm], { cwd: prefix, env, timeout: 120_000 })
  return join(prefix, 'node_modules', '.bin')
}

/** Ends the programs of a process group that a failed test has left. */
const endGroup = async (group: number, closed: Promise<unknown>): Promise<void> => {
  signalGroup(group, 'SIGTERM')
  const killTimer = setTimeout(() => signalGroup(group, 'SIGKILL'), 20_000)
  await closed
  clearTimeout(killTimer)
}

const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal)
  } catch {
    // The group has ended.
  }
}
