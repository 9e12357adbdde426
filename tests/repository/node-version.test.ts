/**
 * Under an old Node.js version, npm scripts run with the version of the repository, and every other way to start Muster
 * prints one sentence that says what to do.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packageJson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const expectedMessage =
  'Muster runs on Node 24 from 24.11 on and Node 26 from 26.10 on, but this is Node 20.20.2: install one of these versions. In a clone, "npm run muster -- COMMAND" downloads one.\n'

describe('an old Node.js version', () => {
  let folder: string
  let versionOverride: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-node-'))
    versionOverride = join(folder, 'pretend.cjs')
    await writeFile(
      versionOverride,
      `const node = process.env.PRETENDED_VERSION
Object.defineProperty(process, 'versions', { value: { ...process.versions, node } })`,
    )
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs a command under a Node.js that claims to be another version. No database is available. */
  const runUnderOldNode = (
    command: string,
    args: readonly string[],
    version = '20.20.2',
  ): Promise<[code: unknown, out: string, err: string]> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        NODE_OPTIONS: `--require=${versionOverride}`,
        PRETENDED_VERSION: version,
        DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
      }
      execFile(command, [...args], { cwd: root, env, timeout: 60_000 }, (error, out, err) =>
        resolve([error?.code ?? 0, out, err]),
      )
    })

  for (const file of ['muster.js', 'muster.ts', 'check-node.js'])
    it(`is rejected by node packages/server/bin/${file}`, async () => {
      assert.deepEqual(
        await runUnderOldNode(process.execPath, [join(root, 'packages/server/bin', file), '--version']),
        [1, '', expectedMessage],
      )
    })

  it('is explained in the documentation with the same words', async () => {
    const document = await readFile(join(root, 'docs/command-line.md'), 'utf8')
    assert.ok(document.includes(`| an old Node | ${expectedMessage.trimEnd()} |`))
  })

  it('is rejected unless "engines" of the packages allows it, or it is newer', async () => {
    const { engines } = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8'))
    const minimums = [...expectedMessage.matchAll(/from (\d+\.\d+) on/g)].map(([, version]) => version)
    assert.equal(engines.node, minimums.map((version) => `^${version}.0`).join(' || '))
    const checkNode = join(root, 'packages/server/bin/check-node.js')
    for (const [version, code] of [
      ['24.10.0', 1],
      ['24.11.0', 0],
      ['25.9.0', 1],
      ['26.9.0', 1],
      ['26.10.0', 0],
      ['27.0.0', 0],
    ] as const)
      assert.equal((await runUnderOldNode(process.execPath, [checkNode], version))[0], code, version)
  })

  it('is rejected by npx muster', async () => {
    assert.deepEqual(await runUnderOldNode('npx', ['muster', '--version']), [1, '', expectedMessage])
  })

  it('can parse the code that runs before the version check', async () => {
    for (const file of ['check-node.js', 'muster.js', 'muster.ts']) {
      const source = await readFile(join(root, 'packages/server/bin', file), 'utf8')
      // Parsing as a script fails on import declarations, top-level await and types, which old versions reject.
      assert.doesNotThrow(() => new Script(source.replace(/^#!.*/, ''), { filename: file }))
    }
  })
})

describe('the npm scripts under an old Node.js version', () => {
  const { version } = process
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-node-'))
    const override = join(folder, 'pretend.cjs')
    await writeFile(
      override,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
    )
    // Only the Node in PATH is old: its options are not those of the programs that it starts.
    await writeFile(join(folder, 'node'), `#!/bin/sh\nexec '${process.execPath}' '--require=${override}' "$@"\n`)
    await chmod(join(folder, 'node'), 0o755)
    // What a first download leaves in the cache.
    const modules = join(folder, 'cache', 'muster-node', version.slice(1), 'node_modules')
    await mkdir(join(modules, `node-${process.platform}-${process.arch}`), { recursive: true })
    await symlink(dirname(process.execPath), join(modules, `node-${process.platform}-${process.arch}`, 'bin'))
  })
  after(() => rm(folder, { recursive: true }))

  const run = (command: string, ...args: readonly string[]): Promise<[code: unknown, out: string, err: string]> =>
    new Promise((resolve) => {
      const env = {
        PATH: `${folder}${delimiter}${process.env.PATH}`,
        HOME: folder,
        XDG_CACHE_HOME: join(folder, 'cache'),
        npm_config_update_notifier: 'false',
      }
      execFile(command, [...args], { cwd: root, env, timeout: 60_000 }, (error, out, err) =>
        resolve([error?.code ?? 0, out, err]),
      )
    })

  it('find it in PATH', async () => {
    assert.deepEqual(await run('node', '-p', 'process.versions.node'), [0, '20.20.2\n', ''])
    assert.equal((await run('node', 'packages/server/bin/muster.js', '--version'))[0], 1)
  })

  // `-s` (silent), because npm otherwise prints the command line of the script first.
  for (const [script, ...args] of [
    ['muster', '--version'],
    ['migrate', '--help'],
    ['seed', '--help'],
    ['test', '--list'],
    ['bench', '--list'],
  ] as const)
    it(`run with the version of the repository: npm run ${script}`, async () => {
      const [code, out, err] = await run('npm', 'run', '-s', script, '--', ...args)
      assert.deepEqual([code, err], [0, ''])
      assert.notEqual(out, '')
    })

  it('all begin each command with tools/scripts/with-node', () => {
    for (const [name, script] of Object.entries<string>(packageJson.scripts)) {
      const commands = script.split(' && ')
      for (const command of commands) assert.match(command, /^(exec )?tools\/scripts\/with-node /, name)
      // With exec, a signal to npm reaches the program.
      assert.match(commands.at(-1) ?? '', /^exec /, name)
    }
  })
})

describe('the Node.js versions in package.json and .node-version', () => {
  it('agree, and the tests run under that version', async () => {
    const nodeVersion = (await readFile(join(root, '.node-version'), 'utf8')).trim()
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    assert.equal(packageJson.engines.node, `^${nodeVersion}`)
    assert.equal(lock.packages[''].engines.node, packageJson.engines.node)
    assert.match(expectedMessage, new RegExp(`from ${nodeVersion.replace(/\.\d+$/, '')} on`))
    // With devEngines, npm would fail with its own error before this sentence is printed.
    assert.equal(packageJson.devEngines, undefined)
  })
})
