/** In charge of proving the invented company right: runs every rule over the tables and counts what breaks it. */
import type { ClientBase } from 'pg'
import { withSession } from '../database/session.ts'
import { OperatorError } from '../errors.ts'
import type { Rule } from './rule.ts'
import { enterpriseRules } from './rules-enterprise.ts'
import { everywhereRules } from './rules-everywhere.ts'
import { peopleRules } from './rules-people.ts'
import { recruitingRules } from './rules-recruiting.ts'

export interface RuleResult {
  readonly rule: string
  readonly checked: number
  readonly violations: number
  readonly seconds: number
}

export interface CheckOptions {
  readonly onResult?: (result: RuleResult) => void
}

/** Every rule with what it counted, all over one and the same state of the database. */
export async function checkCompany(client: ClientBase, options: CheckOptions = {}): Promise<RuleResult[]> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(`set local statement_timeout = 0; set local work_mem = '256MB'; set local jit = off`)
    await requireMarker(client)
    return await runRules(client, options)
  } finally {
    await client.query('rollback')
  }
}

/** The rules alone, for a caller that is in a transaction already. */
export async function runRules(client: ClientBase, { onResult }: CheckOptions = {}): Promise<RuleResult[]> {
  const results: RuleResult[] = []
  for (const { rule, count } of checks) {
    const started = performance.now()
    const counts = await count(client)
    const result = { rule, ...counts, seconds: (performance.now() - started) / 1000 }
    results.push(result)
    onResult?.(result)
  }
  return results
}

/** The same for a database that is not connected yet. */
export async function checkDatabase(connectionString: string, options: CheckOptions = {}): Promise<RuleResult[]> {
  return withSession(connectionString, 'check', (client) => checkCompany(client, options))
}

async function requireMarker(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query('select from muster_seed')
  if (rowCount === 0) throw new OperatorError('The database holds no invented company: run npm run seed first.')
}

type Count = (client: ClientBase) => Promise<{ checked: number; violations: number }>

function bySql({ name, sql }: Rule): { rule: string; count: Count } {
  return {
    rule: name,
    async count(client) {
      const { rows } = await client.query<{ checked: string; violations: string }>(sql)
      return { checked: Number(rows[0]?.checked), violations: Number(rows[0]?.violations) }
    },
  }
}

/** Not in SQL, because PostgreSQL 15 can only try a cast and fail. */
const countBrokenJson: Count = async (client) => {
  const { rows } = await client.query<{ text: string | null; n: string }>(
    `select text, count(*) as n from (
       select stages_json as text from job_openings union all
       select settings_json from organizations union all
       select settings_json from recruitment_brands union all
       select settings_json from organization_teams
     ) as texts group by text`,
  )
  let checked = 0
  let violations = 0
  for (const { text, n } of rows) {
    checked += Number(n)
    if (!isJson(text)) violations += Number(n)
  }
  return { checked, violations }
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}

const checks: readonly { readonly rule: string; readonly count: Count }[] = [
  ...[...everywhereRules, ...peopleRules, ...recruitingRules, ...enterpriseRules].map(bySql),
  { rule: 'texts that carry JSON are JSON', count: countBrokenJson },
]

export const ruleNames: readonly string[] = checks.map(({ rule }) => rule)
