import { resources } from '@muster/model'
import type { ClientBase } from 'pg'
import { DemoDataError } from '../error.ts'
import { enterpriseRules } from './enterprise.ts'
import { generalRules } from './general.ts'
import { historyRules } from './history.ts'
import { peopleRules } from './people.ts'
import { recruitingRules } from './recruiting.ts'
import type { Rule } from './rule.ts'

export interface RuleResult {
  readonly rule: string
  readonly checked: number
  readonly violations: number
  readonly seconds: number
}

export interface CheckOptions {
  readonly onResult?: (result: RuleResult) => void
  /** Checks only the rule with this name. */
  readonly only?: string
}

/** Checks every rule against one snapshot of the database. */
export async function checkCompany(client: ClientBase, options: CheckOptions = {}): Promise<RuleResult[]> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(`set local statement_timeout = 0; set local work_mem = '256MB'; set local jit = off`)
    await requireSeed(client)
    return await runRules(client, options)
  } finally {
    await client.query('rollback')
  }
}

/** Checks the rules in the transaction that the caller has begun. */
export async function runRules(client: ClientBase, { onResult, only }: CheckOptions = {}): Promise<RuleResult[]> {
  const results: RuleResult[] = []
  for (const { rule, count } of ruleChecks) {
    if (only !== undefined && rule !== only) continue
    const startedAt = performance.now()
    const counts = await count(client)
    const result = { rule, ...counts, seconds: (performance.now() - startedAt) / 1000 }
    results.push(result)
    onResult?.(result)
  }
  return results
}

async function requireSeed(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query('select from muster_seed')
  if (rowCount === 0) throw new DemoDataError('The database has no invented company: run npx muster seed first.')
}

type CountViolations = (client: ClientBase) => Promise<{ checked: number; violations: number }>

function sqlCheck({ name, sql }: Rule): { rule: string; count: CountViolations } {
  return {
    rule: name,
    async count(client) {
      const { rows } = await client.query<{ checked: string; violations: string }>(sql)
      return { checked: Number(rows[0]?.checked), violations: Number(rows[0]?.violations) }
    },
  }
}

/**
 * Makes a check of texts, each of which the query returns with the number of rows that contain it. These rules are not
 * written in SQL, because PostgreSQL 15 has no `is json` and a failed cast aborts the query.
 */
function textCheck(sql: string, isValid: (text: string | null) => boolean): CountViolations {
  return async (client) => {
    const { rows } = await client.query<{ text: string | null; n: string }>(sql)
    let checked = 0
    let violations = 0
    for (const { text, n } of rows) {
      checked += Number(n)
      if (!isValid(text)) violations += Number(n)
    }
    return { checked, violations }
  }
}

/** All fields with JSON, except the stages of openings, which have a rule of their own. */
const jsonColumns = resources
  .flatMap(({ table, storedFields }) => storedFields.map(({ name, kind }) => ({ table, name, kind })))
  .filter(({ table, name, kind }) => kind === 'json' && `${table}.${name}` !== 'job_openings.stages_json')

const countInvalidJson = textCheck(
  `select text, count(*) as n from (
     ${jsonColumns.map(({ table, name }) => `select ${name} as text from ${table}`).join(' union all ')}
   ) as texts group by text`,
  isJson,
)

const countInvalidStages = textCheck(
  'select stages_json as text, count(*) as n from job_openings group by text',
  isListOfStages,
)

function isListOfStages(text: string | null): boolean {
  if (!isJson(text)) return false
  const stages: unknown = JSON.parse(text ?? '')
  return (
    Array.isArray(stages) &&
    stages.length > 0 &&
    stages.every((stage) => typeof stage === 'string') &&
    new Set(stages).size === stages.length
  )
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}

const ruleChecks: readonly { readonly rule: string; readonly count: CountViolations }[] = [
  ...[...generalRules, ...peopleRules, ...recruitingRules, ...enterpriseRules, ...historyRules].map(sqlCheck),
  { rule: 'the stages of an opening are a list of different texts', count: countInvalidStages },
  { rule: 'every other JSON document is valid', count: countInvalidJson },
]

export const ruleNames: readonly string[] = ruleChecks.map(({ rule }) => rule)
