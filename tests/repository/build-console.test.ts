/** `npm start` and `npm run demo` build the console if necessary, and start without it if the build fails. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const scriptFile = fileURLToPath(new URL('../../tools/scripts/build-console.ts', import.meta.url))
const output = 'packages/server/console/csp.json'

describe('the build of the console', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'muster-build-'))
    // The build appends a line to the output, which shows how often it ran.
    const build = `mkdir -p ../server/console && echo built >> ../../${output}`
    writeFile('package.json', JSON.stringify({ workspaces: ['packages/console'] }), 0)
    writeFile('packages/console/package.json', JSON.stringify({ name: 'console', scripts: { build } }), 0)
    for (const file of [
      'packages/console/index.html',
      'packages/console/src/screens/today.tsx',
      'packages/client/src/index.ts',
      'packages/model/src/index.ts',
    ])
      writeFile(file, '', 0)
  })
  after(() => rmSync(root, { recursive: true }))

  /** Writes a file that was last changed this many seconds from now, and its folder too. */
  const writeFile = (name: string, text: string, seconds: number): void => {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    setAge(name, seconds)
    setAge(dirname(name), seconds)
  }
  const setAge = (name: string, seconds: number): void => {
    const time = Date.now() / 1_000 + seconds
    utimesSync(join(root, name), time, time)
  }
  const run = (): readonly [status: number | null, out: string, err: string] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [scriptFile, root], { encoding: 'utf8' })
    return [status, stdout, stderr]
  }
  const buildCount = (): number => readFileSync(join(root, output), 'utf8').split('\n').length - 1

  it('runs if there is no output, and writes nothing to standard output', () => {
    assert.deepEqual(run(), [0, '', 'Building the console\n'])
    assert.equal(buildCount(), 1)
  })

  it('does not run if the output is newer than all sources', () => {
    setAge(output, 10)
    assert.deepEqual(run(), [0, '', ''])
    assert.equal(buildCount(), 1)
  })

  for (const name of ['packages/console/src/screens/today.tsx', 'packages/client/src/index.ts', 'packages/model/src'])
    it(`runs if ${name} is newer than the output`, () => {
      const countBefore = buildCount()
      setAge(output, 10)
      setAge(name, 20)
      assert.deepEqual(run(), [0, '', 'Building the console\n'])
      assert.equal(buildCount(), countBefore + 1)
      setAge(name, 0)
    })

  it('does not prevent the start if it fails', () => {
    writeFile('packages/console/package.json', JSON.stringify({ name: 'console', scripts: { build: 'exit 1' } }), 0)
    setAge(output, -10)
    const [status, out, err] = run()
    assert.deepEqual([status, out], [0, ''])
    assert.equal(
      err,
      'Building the console\nThe console could not be built, and the service starts anyway: npm run build --workspace packages/console says why.\n',
    )
  })
})
