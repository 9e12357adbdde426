import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { CoverageRange } from '../../tools/scripts/coverage.ts'
import { branchesOf, coreFiles, coverageReport } from '../../tools/scripts/coverage.ts'

const makeRange = (startOffset: number, endOffset: number, count: number): CoverageRange => ({
  startOffset,
  endOffset,
  count,
})

describe('the branch coverage of a function', () => {
  it('counts the whole function as one missed branch if it was never called', () => {
    assert.deepEqual(branchesOf([[makeRange(0, 100, 0)]]), { total: 1, missed: [0] })
  })

  it('counts a branch as missed if its innermost range was never reached', () => {
    assert.deepEqual(branchesOf([[makeRange(0, 100, 3), makeRange(40, 60, 0)]]), { total: 2, missed: [40] })
    assert.deepEqual(branchesOf([[makeRange(0, 100, 3), makeRange(40, 60, 1), makeRange(50, 55, 0)]]), {
      total: 3,
      missed: [50],
    })
  })

  it('counts a branch as taken if any process took it', () => {
    assert.deepEqual(branchesOf([[makeRange(0, 100, 1), makeRange(40, 60, 0)], [makeRange(0, 100, 1)]]).missed, [])
    assert.deepEqual(branchesOf([[makeRange(0, 100, 0)], [makeRange(0, 100, 1), makeRange(40, 60, 0)]]).missed, [40])
  })

  it('counts a branch as missed if one process skipped the enclosing block and another skipped the branch', () => {
    const rangesOfSkippingProcess = [makeRange(0, 100, 5), makeRange(40, 60, 0)]
    const rangesOfEnteringProcess = [makeRange(0, 100, 1), makeRange(50, 55, 0)]
    assert.deepEqual(branchesOf([rangesOfSkippingProcess, rangesOfEnteringProcess]), { total: 3, missed: [50] })
  })
})

describe('the coverage report', () => {
  const completeCore = coreFiles.map((path) => ({ path, total: 4, missed: [] }))
  const otherFile = { path: 'packages/server/src/http/server.ts', total: 4, missed: [7] }

  it('is complete if every branch of the core files is taken, and shows the percentage of the other files', () => {
    const { isComplete, lines } = coverageReport([...completeCore, otherFile])
    assert.equal(isComplete, true)
    assert.ok(lines.includes(' 75.0 %     3 of     4  the rest, least in'), lines.join('\n'))
  })

  it('is incomplete if one branch of a core file is missed, and shows where that branch begins', () => {
    const [firstFile, ...otherFiles] = completeCore
    const { isComplete, lines } = coverageReport([
      { path: coreFiles[0] ?? '', total: firstFile?.total ?? 0, missed: [0] },
      ...otherFiles,
      otherFile,
    ])
    assert.equal(isComplete, false)
    assert.ok(lines.includes(`✖ no test takes the branch at ${coreFiles[0]}:1:1`), lines.join('\n'))
  })

  it('is incomplete if a core file was never loaded', () => {
    assert.equal(coverageReport([...completeCore.slice(1), otherFile]).isComplete, false)
  })
})

describe('the coverage command', () => {
  it('fails if the measured command misses branches of core files, and does not report the branches it takes', () => {
    const measuredScript = `import('./packages/model/src/validation/flat-json.ts').then(({ readFlatJson }) => readFlatJson('{}'))`
    const { status, stdout } = spawnSync(
      process.execPath,
      ['tools/scripts/coverage.ts', process.execPath, '-e', measuredScript],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        encoding: 'utf8',
      },
    )
    assert.equal(status, 1)
    const file = 'packages/model/src/validation/flat-json.ts'
    const lines = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n')
    const missedAt = (code: string) =>
      `no test takes the branch at ${file}:${lines.findIndex((line) => line.includes(code)) + 1}:`
    assert.ok(stdout.includes(missedAt('const isDigit = ')), stdout)
    assert.ok(!stdout.includes(missedAt('constructor(text: string)')), stdout)
    assert.match(stdout, /no test takes the branch at packages\/server\/src\/http\/access\/callers\.ts:1:1/)
  })
})
