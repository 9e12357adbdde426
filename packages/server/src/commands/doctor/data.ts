import type { HealthRule } from '@muster/model'
import { basePath, healthRules } from '@muster/model'
import type { Client } from 'pg'
import { withSession } from '../../postgres/connection/session.ts'
import { requireSchema } from '../../postgres/schema/migrate.ts'
import type { ExitCode, Io } from '../command.ts'
import { exitCodes } from '../command.ts'

interface RuleResult {
  readonly checked: number
  readonly broken: number
  readonly seconds: number
}

/** Checks all rules of data health against one snapshot. Only broken rules of severity `error` are a failure. */
export const checkData = (connectionString: string, { stdout }: Io): Promise<ExitCode> =>
  withSession(connectionString, 'doctor', async (client) => {
    await client.query(
      `begin isolation level repeatable read read only; set local statement_timeout = 0;
       set local idle_in_transaction_session_timeout = 0; set local work_mem = '32MB'; set local jit = off;
       set local search_path = public`,
    )
    await requireSchema(client)
    const brokenRules: HealthRule[] = []
    for (const rule of healthRules) {
      const result = await checkRule(client, rule)
      if (result.broken > 0) brokenRules.push(rule)
      stdout.write(formatResult(rule, result))
    }
    await client.query('commit')
    const errorCount = brokenRules.filter(({ severity }) => severity === 'error').length
    stdout.write(
      brokenRules.length === 0
        ? `All ${healthRules.length} rules hold.\n`
        : `${brokenRules.length} of ${healthRules.length} rules are broken: ${errorCount} of severity error, ${brokenRules.length - errorCount} of severity warning.\n`,
    )
    return errorCount === 0 ? exitCodes.success : exitCodes.failure
  })

const checkRule = async (client: Client, { name }: HealthRule): Promise<RuleResult> => {
  const startedAt = performance.now()
  const { rows } = await client.query<{ checked: string; broken: string }>(
    'select checked, broken from muster_report_data_health(current_date, $1)',
    [name],
  )
  const [result] = rows
  if (result === undefined) throw new Error(`the database has no rule ${name}`)
  return {
    checked: Number(result.checked),
    broken: Number(result.broken),
    seconds: (performance.now() - startedAt) / 1000,
  }
}

const nameWidth = Math.max(...healthRules.map(({ name }) => name.length))

const formatResult = ({ name, severity, resource }: HealthRule, { checked, broken, seconds }: RuleResult): string =>
  `${(broken === 0 ? 'holds' : 'BROKEN').padEnd(9)}${severity.padEnd(9)}${name.padEnd(nameWidth + 2)}` +
  `${checked} checked, ${broken} broken, ${seconds.toFixed(1)} s  ${basePath}/v1/${resource}?health=${name}\n`
