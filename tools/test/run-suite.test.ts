import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { slowestFiles } from './file-results.ts'
import { divideIntoGroups } from './groups.ts'
import { failuresText, runSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'
import { mayRepeat, reporters, suites } from './suites.ts'

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
  const run = (...args: string[]) => runWith([], ...args)
  const runWith = async (options: readonly string[], ...files: string[]) => {
    let output = ''
    // Without NODE_TEST_CONTEXT, which would make the inner runner report to the outer one.
    const command = ['env', '-u', 'NODE_TEST_CONTEXT', 'node', 'tools/test/run-groups.ts', ...reporters, ...options]
    const suite: Suite = { about: '', command, files }
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
    const { succeeded, failed, flaky, broken } = await run(await testFile('broken', `throw new Error('always')`))
    assert.deepEqual([succeeded, failed, flaky], [false, 1, []])
    assert.match(failuresText('failed', broken), /failed: .+broken\.test\.mjs .*\n.+\nError: always/)
  })

  it('fails if a file cannot be loaded', async () => {
    const path = join(folder, 'unloadable.test.mjs')
    await writeFile(path, 'import "./missing.mjs"')
    assert.equal((await run(path)).succeeded, false)
  })

  it('runs the test files of a folder', async () => {
    const subfolder = join(folder, 'whole')
    await mkdir(join(subfolder, 'below'), { recursive: true })
    for (const name of ['a.test.ts', 'below/b.test.ts', 'below/node_modules/c.test.ts', 'helper.ts']) {
      await mkdir(dirname(join(subfolder, name)), { recursive: true })
      await writeFile(join(subfolder, name), `import { it } from 'node:test'; it('passes', () => {})`)
    }
    const { succeeded, passed, output } = await run(subfolder)
    assert.deepEqual([succeeded, passed], [true, 2], output)
  })

  it('fails with one sentence if an argument names no test files', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    const missing = join(folder, 'missing.test.ts')
    const { succeeded, output } = await run(await testFile('other', ''), empty, missing)
    assert.equal(succeeded, false)
    assert.match(
      output,
      /^There are no test files at \S+empty, \S+missing\.test\.ts\.\nThe suite example took \d+ s\.\n$/,
    )
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

  /** Adds 15 files whose names are between those of the two files, so that these are the first and the last of a group. */
  const withFilesBetween = async (first: string, last: string): Promise<string[]> => {
    const name = basename(first, '-a.test.mjs')
    const others = Array.from({ length: 15 }, (_, index) => testFile(`${name}-m${index}`, ''))
    return [first, ...(await Promise.all(others)), last]
  }

  it('calls the hooks of a file for this file only, although another file is in the same process', async () => {
    const files = ['hook-a.test.mjs', 'hook-z.test.mjs'].map((name) => join(folder, name))
    for (const file of files)
      await writeFile(
        file,
        `import { before, it } from 'node:test'
         let calls = 0; globalThis.hookCalls ??= 0; before(() => { calls += 1; globalThis.hookCalls += 1 })
         it('a', () => { if (calls !== 1 || globalThis.hookCalls !== ${file === files[0] ? 1 : 2}) throw new Error('hooks') })`,
      )
    const { succeeded, output } = await run(...(await withFilesBetween(files[0] as string, files[1] as string)))
    assert.equal(succeeded, true, output)
  })

  it('attributes a test that a helper defines to the test file', async () => {
    await writeFile(
      join(folder, 'helper.mjs'),
      `import { it } from 'node:test'; export const define = () => it('always', () => { throw new Error('always') })`,
    )
    const path = join(folder, 'helped.test.mjs')
    await writeFile(path, `import { define } from './helper.mjs'; define()`)
    const { succeeded, flaky, output } = await run(path)
    assert.deepEqual([succeeded, flaky], [false, []])
    assert.match(output, /helped\.test\.mjs failed and runs once more/)
  })

  it('attributes a test to its file, although another file of the process imports the same module', async () => {
    const files = ['shared-a.test.mjs', 'shared-z.test.mjs'].map((name) => join(folder, name))
    await writeFile(join(folder, 'shared.mjs'), 'await new Promise(setImmediate)')
    for (const file of files)
      await writeFile(
        file,
        `import { it } from 'node:test'; import './shared.mjs'
         it('a', () => { if (${file === files[1]}) throw new Error('always') })`,
      )
    const { broken } = await run(...(await withFilesBetween(files[0] as string, files[1] as string)))
    assert.deepEqual(
      broken.map(({ file }) => basename(file)),
      ['shared-z.test.mjs'],
    )
  })

  for (const code of [0, 1])
    it(`fails if a test ends the process with code ${code}, so that another file does not run`, async () => {
      const first = await testFile(`exit-${code}-a`, `process.exit(${code})`)
      const last = await testFile(`exit-${code}-z`, '')
      const { succeeded, output } = await run(...(await withFilesBetween(first, last)))
      assert.equal(succeeded, false)
      assert.match(output, new RegExp(`exit-${code}-z\\.test\\.mjs did not run to its end`))
    })

  it('fails if a test is skipped', async () => {
    const path = join(folder, 'skipped.test.mjs')
    await writeFile(path, `import { it } from 'node:test'; it('a', () => {}); it.skip('b', () => {})`)
    assert.equal((await run(path)).succeeded, false)
  })

  it('fails if one of its patterns matches no file', async () => {
    assert.equal((await run(await testFile('matching', ''), join(folder, 'absent.test.mjs'))).succeeded, false)
  })

  it('leaves out the files without a test of the given name', async () => {
    const files = [await testFile('named', ''), await testFile('other', '')]
    const { succeeded, flaky } = await runWith(['--test-name-pattern=^named$'], ...files)
    assert.deepEqual([succeeded, flaky], [true, []])
  })

  it('ends although a test has left a server open', async () => {
    const { succeeded, output } = await run(
      await testFile('leaking', `process.getBuiltinModule('node:net').createServer().listen(0)`),
    )
    assert.equal(succeeded, true)
    assert.match(output, /Still open after all tests: .*TCPServerWrap/)
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
    for (const file of ['server/test/http/cors', 'model/test/openapi-breaking-changes'])
      assert.equal(mayRepeat(`packages/${file}.test.ts`), true, file)
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
      if (output === 'started\n') child.kill('SIGTERM')
    }
    assert.equal(output, 'started\n3 143\n')
  })
})
