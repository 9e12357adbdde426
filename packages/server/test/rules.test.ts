import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../tests/support/database.ts'
import { isHire, isPastTarget, jobStages, suggestedStages } from '../../model/src/rules.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

const queryValue = (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query({ text: sql, values: [...values], rowMode: 'array' })
    return rows[0]?.[0]
  })

/** The values that the SQL function and the model function give for each of the cases. */
const compareBoth = async <T extends unknown[]>(
  cases: readonly (readonly [...T])[],
  sql: string,
  model: (...given: T) => unknown,
): Promise<void> => {
  for (const given of cases) {
    const title = JSON.stringify(given).slice(0, 80)
    assert.deepEqual(await queryValue(sql, given), model(...given), title)
  }
}

describe('a rule in SQL and in the model', () => {
  it('past target', async () => {
    const days = [null, '2026-05-31', '2026-06-01', '2026-06-02']
    const cases = days.flatMap((day) =>
      [[0, 0] as const, [0, 1] as const, [1, 1] as const, [2, 1] as const].map(
        ([filled, headcount]) => [day, filled, headcount] as const,
      ),
    )
    await compareBoth(
      cases,
      "select coalesce(muster_is_past_target($1, $2, $3, '2026-06-01'), false)",
      (target_date, filled, headcount) => isPastTarget({ target_date, filled, headcount }, '2026-06-01'),
    )
  })

  it('hire', async () => {
    const stages = ['hired', 'Hired', 'offer', '']
    const statuses = ['active', 'hired', 'rejected', 'Withdrawn', '']
    await compareBoth(
      stages.flatMap((stage) => statuses.map((status) => [stage, status] as const)),
      'select muster_is_hire($1, $2)',
      (stage, status) => isHire({ stage, status }),
    )
  })

  it('suggested stages', async () => {
    assert.deepEqual(await queryValue('select muster_suggested_stages()'), suggestedStages)
  })

  const stageCases: readonly (readonly [stagesJson: string | null, stages: readonly string[]])[] = [
    [null, suggestedStages],
    ['', suggestedStages],
    [' ', suggestedStages],
    ['null', suggestedStages],
    ['{', suggestedStages],
    ['[]', suggestedStages],
    ['"applied"', suggestedStages],
    ['{"name": "applied"}', suggestedStages],
    ['[1]', suggestedStages],
    ['["applied", null]', suggestedStages],
    ['["applied", ["offer"]]', suggestedStages],
    ['[{"name": 1}]', suggestedStages],
    ['[{"title": "applied"}]', suggestedStages],
    ['["applied", "a\\u0000b"]', suggestedStages],
    ['["applied", "\\ud800"]', suggestedStages],
    ['[1e9999999]', suggestedStages],
    ['['.repeat(100_000), suggestedStages],
    ['["sourced"]', suggestedStages],
    ['["Applied", {"name": "OFFER", "days": 3}]', ['applied', 'offer']],
    ['[{"name": "first", "name": "second"}]', ['second']],
    ['["Sourced", "b", "a", "B"]', ['b', 'a']],
    ['["ÄRGER", ""]', ['ärger', '']],
  ]
  it('stages of a job opening', async () => {
    for (const [stagesJson, stages] of stageCases) assert.deepEqual(jobStages(stagesJson), stages, `${stagesJson}`)
    await compareBoth(
      stageCases.map(([stagesJson]) => [stagesJson] as const),
      'select muster_job_stages($1)',
      jobStages,
    )
  })

  it('tells a job opening without stages from one whose stages cannot be read', async () => {
    const listedStages = (text: string) => queryValue('select muster_listed_stages($1)', [text])
    for (const text of ['', ' ', 'null', '[]', '["sourced"]']) assert.deepEqual(await listedStages(text), [], text)
    for (const text of ['{', '"applied"', '[1]', '["applied", null]'])
      assert.equal(await listedStages(text), null, text)
  })
})

/** What may be written in one SQL function, and in one source file of the model, only. */
const rules = {
  'employed on a day': /termination_date is null or/,
  'past target': /target_date\s*[<>]|filled\s*<\s*\w*headcount/,
  declined: /['"]rejected['"], *['"]withdrawn['"]\s*[\])]/,
  'suggested stages': /'shortlisted'/,
  'waiting days': /\b14 days\b|\bwaitingDays = \d|stage_entered_on\s*<\s*\$\d\s*-\s*\d/,
  'days ahead': /\bdaysAhead = 30\b|\$1 \+ 30/,
  'smallest sample of a rate': /\bsmallestSample\b|\bminRateSample = |withdrawn >= \d/,
}

describe('a rule is written once', () => {
  const sqlHomes: Readonly<Partial<Record<keyof typeof rules, readonly string[]>>> = {
    'employed on a day': ['muster_is_employed_on'],
    'past target': ['muster_is_past_target'],
    declined: ['muster_is_declined'],
    'suggested stages': ['muster_suggested_stages'],
  }
  for (const [rule, pattern] of Object.entries(rules))
    it(`${rule}: in SQL`, async () => {
      const found = await queryValue(
        `select coalesce(array_agg(proname::text order by proname), '{}')
         from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ $1`,
        [pattern.source.replaceAll('\\b', '\\y')],
      )
      assert.deepEqual(found, sqlHomes[rule as keyof typeof rules] ?? [])
    })

  // Generated texts repeat those of the model.
  const sources = globSync('packages/*/src/**/*.{ts,tsx}').filter(
    (path) => !path.startsWith('packages/demo-data') && !path.includes('/generated/'),
  )
  const sourceHomes: Readonly<Partial<Record<keyof typeof rules, readonly string[]>>> = {
    'past target': ['packages/model/src/rules.ts'],
    declined: ['packages/model/src/rules.ts'],
    'suggested stages': ['packages/model/src/schema/suggested-values.ts'],
    'waiting days': ['packages/model/src/rules.ts'],
    'days ahead': ['packages/model/src/rules.ts'],
    'smallest sample of a rate': ['packages/model/src/rules.ts'],
  }
  for (const [rule, pattern] of Object.entries(rules))
    it(`${rule}: in the packages`, () => {
      const found = sources.filter((path) => pattern.test(readFileSync(path, 'utf8')))
      assert.deepEqual(found, sourceHomes[rule as keyof typeof rules] ?? [])
    })
})
