import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { healthRules } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase, createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { startService } from '../../../../tests/support/service.ts'

interface RuleLine {
  readonly verdict: string
  readonly severity: string
  readonly checked: number
  readonly broken: number
  readonly path: string
}

const linePattern = /^(holds|BROKEN) +(error|warning) +(\w+) +(\d+) checked, (\d+) broken, \d+\.\d s {2}(\S+)$/

const checkData = async (env: Record<string, string>) => {
  const { code, out, err } = await muster(['doctor', '--data'], env)
  assert.equal(err, '')
  const lines = out.trimEnd().split('\n')
  const rules = lines.slice(0, -1).map((line): [string, RuleLine] => {
    const [, verdict = '', severity = '', name = '', checked, broken, path = ''] = linePattern.exec(line) ?? []
    assert.notEqual(verdict, '', line)
    return [name, { verdict, severity, checked: Number(checked), broken: Number(broken), path }]
  })
  return { code, rules: new Map(rules), lastLine: lines.at(-1) }
}

describe('muster doctor --data', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database?.drop())

  it('prints a line for every rule and exits with 0 if all hold', async () => {
    const { code, rules, lastLine } = await checkData(database.env)
    assert.deepEqual([code, lastLine], [0, `All ${healthRules.length} rules hold.`])
    assert.deepEqual(
      [...rules].map(([name, { verdict, severity, broken, path }]) => [name, verdict, severity, broken, path]),
      healthRules.map(({ name, severity, resource }) => [
        name,
        'holds',
        severity,
        0,
        `/api/v1/${resource}?health=${name}`,
      ]),
    )
    assert.equal(rules.get('manager_cycle')?.checked, 250)
  })

  it('exits with 0 if only rules of severity warning are broken', async () => {
    await database.execute('update leave_requests set employee_id = null where id in (1, 2)')
    const { code, rules, lastLine } = await checkData(database.env)
    assert.deepEqual(
      [code, lastLine, rules.get('leave_without_employee')?.verdict, rules.get('leave_without_employee')?.broken],
      [0, `1 of ${healthRules.length} rules are broken: 0 of severity error, 1 of severity warning.`, 'BROKEN', 2],
    )
  })

  it('exits with 1 if a rule of severity error is broken, and names the list of the records', async () => {
    await database.execute('update job_openings set filled = headcount + 1 where id in (3, 5, 8)')
    const { code, rules, lastLine } = await checkData({ DATABASE_URL: database.env.DATABASE_URL })
    const rule = rules.get('filled_over_headcount')
    assert.deepEqual([code, rule?.verdict, rule?.broken], [1, 'BROKEN', 3])
    assert.match(lastLine ?? '', /^2 of \d+ rules are broken: 1 of severity error, 1 of severity warning\.$/)
    const service = await startService(database.url)
    try {
      const { json } = await sendRequest(`${service.baseUrl.replace(/\/api$/, '')}${rule?.path}`)
      assert.deepEqual(
        json.data.map(({ id }: { id: number }) => id),
        [3, 5, 8],
      )
    } finally {
      await service.stop()
    }
  })

  it('changes nothing, and cannot be combined with --repair', async () => {
    const { code, err } = await muster(['doctor', '--data', '--repair'], database.env)
    assert.equal(code, 2)
    assert.match(err, /^--data changes nothing: remove --repair\.\n/)
  })

  it('explains why it cannot check an unreachable database or one without the tables', async () => {
    const empty = await createEmptyDatabase()
    try {
      const missing = await muster(['doctor', '--data'], { DATABASE_URL: empty.url })
      assert.equal(missing.code, 1)
      assert.match(missing.err, /run npx muster migrate first/)
    } finally {
      await empty.drop()
    }
    const unreachable = await muster(['doctor', '--data'], { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/x' })
    assert.deepEqual(
      [unreachable.code, unreachable.out, unreachable.err],
      [1, '', 'No PostgreSQL listens at 127.0.0.1:1: start it, or correct the database URL.\n'],
    )
  })
})
