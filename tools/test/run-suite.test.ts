import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { slowestFiles } from './file-results.ts'
import { divideIntoGroups, groupCode, groupFileName } from './groups.ts'
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
  const runWith = async (program: readonly string[], files: readonly string[]) => {
    let output = ''
    // Without NODE_TEST_CONTEXT, which would make the inner runner report to the outer one.
    const command = ['env', '-u', 'NODE_TEST_CONTEXT', 'node', ...program, ...reporters]
    const suite: Suite = { about: '', command, files }
    const result = await runSuite('example', suite, [], (text) => {
      output += text
    })
    return { ...result, output }
  }
  const run = (...files: string[]) => runWith(['--test'], files)
  const runGroups = (...files: string[]) => runWith(['tools/test/run-groups.ts'], files)

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

  it('in groups, reports the results of each file', async () => {
    const { succeeded, flaky } = await runGroups(
      await testFile('stable-in-group', ''),
      await testFile('flaky-in-group', passesTheSecondTime('flaky-in-group')),
    )
    assert.deepEqual([succeeded, flaky.map(({ file }) => basename(file))], [true, ['flaky-in-group.test.mjs']])
  })

  it('calls the hooks of a file in a group for this file only', async () => {
    const files = ['a', 'b'].map((name) => join(folder, `hook-${name}.test.mjs`))
    for (const file of files)
      await writeFile(
        file,
        `import { before, it } from 'node:test'
         let calls = 0; globalThis.hookCalls ??= 0; before(() => { calls += 1; globalThis.hookCalls += 1 })
         it('a', () => { if (calls !== 1 || globalThis.hookCalls > ${file === files[0] ? 1 : 2}) throw new Error('hooks') })`,
      )
    const group = join(folder, groupFileName(1))
    await writeFile(group, groupCode(files))
    const { succeeded, passed, output } = await run(group)
    assert.deepEqual([succeeded, passed], [true, 2], output)
    assert.match(output, /Slowest files of example.+ 1 {2}\S+hook-[ab].+ 1 {2}\S+hook-[ab]/s)
  })

  it('in groups, fails if a file fails twice, cannot be loaded or does not exist', async () => {
    const unloadable = join(folder, 'unloadable-in-group.test.mjs')
    await writeFile(unloadable, 'import "./missing.mjs"')
    const stable = await testFile('passing-in-group', '')
    for (const file of [await testFile('broken-in-group', `throw new Error('always')`), unloadable])
      assert.equal((await runGroups(stable, file)).succeeded, false, file)
    assert.equal((await runGroups(join(folder, 'absent.test.mjs'))).succeeded, false)
  })

  it('in groups, ends although a test has left a server open', async () => {
    const { succeeded, failed } = await runGroups(
      await testFile(
        'freshness-leak',
        `process.getBuiltinModule('node:net').createServer().listen(0); throw new Error('always')`,
      ),
    )
    assert.deepEqual([succeeded, failed], [false, 1])
  })

  it('divides its files into groups', () => {
    assert.deepEqual(divideIntoGroups(['a', 'b', 'c', 'd', 'e'], 2), [
      ['a', 'c', 'e'],
      ['b', 'd'],
    ])
    assert.deepEqual(divideIntoGroups(['a'], 2), [['a']])
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

describe('a program that runs another one', () => {
  it('passes SIGTERM on, returns the exit code, and starts no further program', async () => {
    const module = JSON.stringify(new URL('../scripts/run-program.ts', import.meta.url).href)
    const program = `process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('started')`
    const code = `
      import { forwardSignals, runProgram } from ${module}
      forwardSignals()
      const first = await runProgram([process.execPath, '--eval', ${JSON.stringify(program)}])
      const second = await runProgram([process.execPath, '--eval', 'console.log("not started")'])
      console.log(first, second)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += chunk
      if (chunk.includes('started\n')) child.kill('SIGTERM')
    }
    assert.equal(output, 'started\n3 143\n')
  })
})
