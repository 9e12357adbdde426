import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { slowestFiles } from './file-results.ts'
import { runSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'
import { mayRepeat, suites } from './suites.ts'

const reporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./tools/test/node-reporter.ts', '--test-reporter-destination=stderr'],
]

describe('a suite of the test runner', { concurrency: true }, () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-suite-'))
  })
  after(() => rm(folder, { recursive: true }))

  /** Writes a test file whose test runs this code, and returns its path. */
  const testFile = async (name: string, code: string): Promise<string> => {
    const path = join(folder, `${name}.test.mjs`)
    await writeFile(
      path,
      `import { it } from 'node:test'; import { existsSync, writeFileSync } from 'node:fs'
       it('passes', () => {}); it('${name}', () => { ${code} })`,
    )
    return path
  }
  const passesTheSecondTime = (name: string): string => {
    const mark = JSON.stringify(join(folder, `${name}.mark`))
    return `if (!existsSync(${mark})) { writeFileSync(${mark}, ''); throw new Error('the first time') }`
  }
  const run = async (...files: string[]) => {
    let output = ''
    // Without NODE_TEST_CONTEXT, which would make the inner runner report to the outer one.
    const suite: Suite = {
      about: '',
      command: ['env', '-u', 'NODE_TEST_CONTEXT', 'node', '--test', ...reporters],
      files,
    }
    const result = await runSuite('example', suite, [], (text) => {
      output += text
    })
    return { ...result, output }
  }

  it('passes with its counts and lists its slowest files', async () => {
    const files = [await testFile('one', ''), await testFile('two', '')]
    const { succeeded, passed, failed, flaky, output } = await run(...files)
    assert.deepEqual([succeeded, passed, failed, flaky], [true, 4, 0, []])
    assert.match(output, /Slowest files of example.+one\.test\.mjs/s)
  })

  it('reports a file as flaky if it passes when it runs once more', async () => {
    const { succeeded, passed, failed, flaky, output } = await run(
      await testFile('stable', ''),
      await testFile('flaky', passesTheSecondTime('flaky')),
    )
    assert.deepEqual([succeeded, passed, failed, flaky.length], [true, 4, 0, 1])
    assert.match(output, /flaky: .+flaky\.test\.mjs \(FAST_CHECK_SEED=\d+\)\nflaky\nError: the first time/)
  })

  it('fails if a file fails twice', async () => {
    const { succeeded, failed, flaky } = await run(await testFile('broken', `throw new Error('always')`))
    assert.deepEqual([succeeded, failed, flaky], [false, 1, []])
  })

  it('fails if a file cannot be loaded', async () => {
    const path = join(folder, 'unloadable.test.mjs')
    await writeFile(path, 'import "./missing.mjs"')
    assert.equal((await run(path)).succeeded, false)
  })

  it('does not repeat a file that finds stale or lost records', async () => {
    const { succeeded, flaky } = await run(await testFile('freshness', passesTheSecondTime('freshness')))
    assert.deepEqual([succeeded, flaky], [false, []])
  })

  it('fails at once if more than two files fail', async () => {
    const names = ['first', 'second', 'third']
    const files = await Promise.all(names.map((name) => testFile(name, passesTheSecondTime(name))))
    const { succeeded, flaky } = await run(...files)
    assert.deepEqual([succeeded, flaky], [false, []])
  })

  it('fails if its program fails', async () => {
    const suite = { about: '', command: ['node', '-e', 'console.log("3 passed, 0 failed"); process.exit(1)'] }
    const { succeeded, passed, failed } = await runSuite('program', suite, [], () => {})
    assert.deepEqual([succeeded, passed, failed], [false, 3, 1])
  })
})

describe('the test suites', () => {
  it('repeat no file about fresh, private or delivered records', () => {
    for (const file of ['http/freshness', 'postgres/changes', 'commands/sync-companies', 'http/redaction-probes'])
      assert.equal(mayRepeat(`packages/server/test/${file}.test.ts`), false, file)
    assert.equal(mayRepeat('packages/server/test/http/cors.test.ts'), true)
    for (const name of ['fuzz', 'chaos']) assert.equal(suites[name]?.files, undefined, name)
  })

  it('list the slowest files first', () => {
    const resultOf = (file: string, seconds: number) => ({ file, seconds, tests: 1, failures: [] })
    assert.deepEqual(slowestFiles([resultOf('a', 1), resultOf('b', 20), resultOf('c', 3)], 2), [
      '   20.0 s      1  b',
      '    3.0 s      1  c',
    ])
  })
})
