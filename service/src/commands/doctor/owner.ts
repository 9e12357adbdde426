/** In charge of the check of the role that migrates, seeds and imports. */
import type { Client } from 'pg'
import { explainDatabaseFault, OperatorError } from '../../database/operator-error.ts'
import { ownerUrl } from '../owner-url.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, ok, ownerVariable, wrong } from './finding.ts'

export const owner: Check = {
  about: 'owner',
  async look({ env }) {
    const variable = ownerVariable(env)
    let url = ''
    let client: Client | undefined
    try {
      url = ownerUrl(env)
      client = await connectTo(url, env)
      return await judgeOwner(client, variable)
    } catch (error) {
      if (variable === 'DATABASE_URL')
        return { verdict: 'unknown', sentence: 'Not looked at, because the database does not answer.' }
      const explained = error instanceof OperatorError ? error : explainDatabaseFault(error, url)
      if (explained === undefined) throw error
      return wrong(explained.message, 'export DATABASE_MIGRATE_URL=postgres://owner:password@127.0.0.1:5432/muster')
    } finally {
      await client?.end()
    }
  },
}

const judgeOwner = async (client: Client, variable: string): Promise<Finding> => {
  const { rows } = await client.query<{ role: string; makes: boolean; owns: boolean }>(
    `select current_user as role, has_schema_privilege(current_user, 'public', 'create') as makes,
            coalesce((select pg_has_role(current_user, relowner, 'usage') from pg_class
                      where oid = to_regclass('public.muster_migrations')), true) as owns`,
  )
  const { role = '', makes = false, owns = false } = rows[0] ?? {}
  if (makes && owns) return ok(`Migrations and imports run as "${role}", which may change the tables.`)
  return {
    verdict: variable === 'DATABASE_URL' ? 'advice' : 'wrong',
    sentence: `"${role}" may not change the tables: migrations and imports need their owner.`,
    mend: 'export DATABASE_MIGRATE_URL=postgres://owner:password@127.0.0.1:5432/muster',
  }
}
