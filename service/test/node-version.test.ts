/** Under an old Node every way to start Muster prints one sentence that says what to do. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const sentence =
  'Muster needs Node 26.10 or newer, and this is Node 20.20.2: put scripts/with-node in front of the same command, which downloads the right Node once, or install it yourself.\n'

describe('an old Node', () => {
  let folder: string
  let pretend: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-node-'))
    pretend = join(folder, 'pretend.cjs')
    await writeFile(
      pretend,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`,
    )
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs a command under a Node that reports version 20.20.2, without a database. */
  const run = (command: string, args: readonly string[]): Promise<[code: unknown, out: string, err: string]> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        NODE_OPTIONS: `--require=${pretend}`,
        DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
      }
      execFile(command, [...args], { cwd: root, env, timeout: 60_000 }, (error, out, err) =>
        resolve([error?.code ?? 0, out, err]),
      )
    })

  for (const file of ['muster.js', 'muster.ts', 'check-node.js'])
    it(`is refused by node service/bin/${file}`, async () => {
      assert.deepEqual(await run(process.execPath, [join(root, 'service/bin', file), '--version']), [1, '', sentence])
    })

  // Silent, as npm otherwise prints the command line of the script first.
  for (const script of ['demo', 'start', 'migrate', 'seed', 'generate', 'test', 'supply'])
    it(`is refused by npm run ${script}`, async () => {
      assert.deepEqual(await run('npm', ['run', '-s', script]), [1, '', sentence])
    })

  it('is refused by npx muster', async () => {
    assert.deepEqual(await run('npx', ['muster', '--version']), [1, '', sentence])
  })

  it('is refused by every npm script that runs TypeScript', () => {
    const unchecked = Object.entries<string>(manifest.scripts).filter(
      ([, line]) =>
        /\bnode\b/.test(line) && !/^node service\/bin\/check-node\.js && |service\/bin\/muster\.js/.test(line),
    )
    assert.deepEqual(unchecked, [])
  })

  it('can parse what runs before the check', async () => {
    for (const file of ['check-node.js', 'muster.js', 'muster.ts']) {
      const source = await readFile(join(root, 'service/bin', file), 'utf8')
      // A script: neither import declarations, nor top-level await, nor types.
      assert.doesNotThrow(() => new Script(source.replace(/^#!.*/, ''), { filename: file }))
    }
  })
})

describe('the Node versions in package.json and .node-version', () => {
  it('agree, and the tests run under that version', async () => {
    const tested = (await readFile(join(root, '.node-version'), 'utf8')).trim()
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    assert.equal(manifest.engines.node, `^${tested}`)
    assert.equal(lock.packages[''].engines.node, manifest.engines.node)
    assert.match(sentence, new RegExp(`needs Node ${tested.replace(/\.\d+$/, '')} `))
    // npm would refuse with an error code and a JSON object before our sentence is printed.
    assert.equal(manifest.devEngines, undefined)
  })
})
