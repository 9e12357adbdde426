import type { Client } from 'pg'
import { explainDatabaseError, OperatorError } from '../../postgres/connection/explain-error.ts'
import { ownerUrl } from '../owner-url.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, ok, ownerVariable, wrong } from './finding.ts'
import { connectionFix, setUrlCommand } from './login.ts'

export const ownerCheck: Check = {
  label: 'owner',
  async run({ env }) {
    const variable = ownerVariable(env)
    let url = ''
    let client: Client | undefined
    try {
      url = ownerUrl(env)
      client = await connectTo(url, env)
      return await checkOwner(client, variable)
    } catch (error) {
      if (variable === 'DATABASE_URL')
        return { verdict: 'unknown', sentence: 'Not checked: the database is not reachable.' }
      const operatorError = error instanceof OperatorError ? error : explainDatabaseError(error, url)
      if (operatorError === undefined) throw error
      return wrong(operatorError.message, await connectionFix(error, variable, env))
    } finally {
      await client?.end()
    }
  },
}

const checkOwner = async (client: Client, variable: string): Promise<Finding> => {
  const { rows } = await client.query<{ role: string; makes: boolean; owns: boolean }>(
    `select current_user as role, has_schema_privilege(current_user, 'public', 'create') as makes,
            coalesce((select pg_has_role(current_user, relowner, 'usage') from pg_class
                      where oid = to_regclass('public.muster_migrations')), true) as owns`,
  )
  const { role = '', makes: canCreate = false, owns: isOwner = false } = rows[0] ?? {}
  if (canCreate && isOwner) return ok(`Migrations and imports run as "${role}", which may change the tables.`)
  return {
    verdict: variable === 'DATABASE_URL' ? 'advice' : 'wrong',
    sentence: `"${role}" may not change the tables: migrations and imports need the owner of the tables.`,
    fix: setUrlCommand('DATABASE_MIGRATE_URL'),
  }
}
