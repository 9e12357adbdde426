/** The figures of `npm run coverage`: a branch counts as taken where any process took it, and nowhere else. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Range } from '../../scripts/coverage.ts'
import { branchesOf, core, report } from '../../scripts/coverage.ts'

const range = (startOffset: number, endOffset: number, count: number): Range => ({ startOffset, endOffset, count })

describe('the branches of a function', () => {
  it('are all missed where it was never called', () => {
    assert.deepEqual(branchesOf([[range(0, 100, 0)]]), { total: 1, missed: [0] })
  })

  it('are missed where the innermost range was never reached', () => {
    assert.deepEqual(branchesOf([[range(0, 100, 3), range(40, 60, 0)]]), { total: 2, missed: [40] })
    assert.deepEqual(branchesOf([[range(0, 100, 3), range(40, 60, 1), range(50, 55, 0)]]), { total: 3, missed: [50] })
  })

  it('are taken where another process took them', () => {
    assert.deepEqual(branchesOf([[range(0, 100, 1), range(40, 60, 0)], [range(0, 100, 1)]]).missed, [])
    assert.deepEqual(branchesOf([[range(0, 100, 0)], [range(0, 100, 1), range(40, 60, 0)]]).missed, [40])
  })

  it('stay missed inside a block that other processes skipped as a whole', () => {
    const skipped = [range(0, 100, 5), range(40, 60, 0)]
    const entered = [range(0, 100, 1), range(50, 55, 0)]
    assert.deepEqual(branchesOf([skipped, entered]), { total: 3, missed: [50] })
  })
})

describe('the report', () => {
  const whole = core.map((path) => ({ path, total: 4, missed: [] }))
  const rest = { path: 'service/src/app.ts', total: 4, missed: [7] }

  it('is complete where the core is, and tells the figure for the rest', () => {
    const { isComplete, lines } = report([...whole, rest])
    assert.equal(isComplete, true)
    assert.ok(lines.includes(' 75.0 %     3 of     4  the rest, least in'), lines.join('\n'))
  })

  it('is not where one branch of the core was missed, and says where it begins', () => {
    const [first, ...others] = whole
    const { isComplete, lines } = report([
      { path: core[0] ?? '', total: first?.total ?? 0, missed: [0] },
      ...others,
      rest,
    ])
    assert.equal(isComplete, false)
    assert.ok(lines.includes(`✖ no test takes the branch at ${core[0]}:1:1`), lines.join('\n'))
  })

  it('is not where a file of the core was never loaded', () => {
    assert.equal(report([...whole.slice(1), rest]).isComplete, false)
  })
})

describe('the command', () => {
  it('fails where the command it watches leaves branches of the core, and counts those it takes', () => {
    const script = `import('./model/src/flat-json.ts').then(({ readFlatJson }) => readFlatJson('{}'))`
    const { status, stdout } = spawnSync(process.execPath, ['scripts/coverage.ts', process.execPath, '-e', script], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stdout, /no test takes the branch at model\/src\/flat-json\.ts:65:/)
    assert.doesNotMatch(stdout, /no test takes the branch at model\/src\/flat-json\.ts:98:/)
    assert.match(stdout, /no test takes the branch at service\/src\/http\/write-access\.ts:1:1/)
  })
})
