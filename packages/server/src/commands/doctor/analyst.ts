import type { Client } from 'pg'
import { readDatabaseUrl } from '../../config/database-url.ts'
import { isSet } from '../../config/read-setting.ts'
import { explainDatabaseError, OperatorError } from '../../postgres/connection/explain-error.ts'
import { biSchema, biViews } from '../../postgres/schema/bi-views.ts'
import { analystSettings } from '../../postgres/schema/roles.ts'
import { quoteLiteral } from '../../postgres/sql/statement.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, ok, settingDifferences, wrong } from './finding.ts'
import { rolesCommand } from './login.ts'

/** The role for BI tools must read every view, and no record outside the views. */
export const analystCheck: Check = {
  label: 'analyst',
  async run({ env }) {
    if (!isSet(env, 'DATABASE_ANALYST_URL')) return ok('There is no role for BI tools (DATABASE_ANALYST_URL).')
    let url = ''
    let client: Client | undefined
    try {
      url = readDatabaseUrl(env, 'DATABASE_ANALYST_URL')
      client = await connectTo(url, env)
      return await checkAnalyst(client)
    } catch (error) {
      const operatorError = error instanceof OperatorError ? error : explainDatabaseError(error, url)
      if (operatorError === undefined) throw error
      return wrong(operatorError.message, rolesCommand)
    } finally {
      await client?.end()
    }
  },
}

const checkAnalyst = async (client: Client): Promise<Finding> => {
  const viewNames = biViews.map(({ name }) => quoteLiteral(name)).join(', ')
  const { rows } = await client.query<{ role: string; unreadable: string | null; readable: string | null }>(
    `select current_user as role,
            (select string_agg(name, ', ') from unnest(array[${viewNames}]) name
             where not coalesce(has_schema_privilege(to_regnamespace('${biSchema}')::oid, 'usage')
               and has_table_privilege(to_regclass('${biSchema}.' || name), 'select'), false)) as unreadable,
            (select string_agg(c.oid::regclass::text, ', ' order by relname) from pg_class c
             where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')
             and has_schema_privilege('public', 'usage') and has_any_column_privilege(c.oid, 'select')) as readable`,
  )
  const { role = '', unreadable = null, readable = null } = rows[0] ?? {}
  if (readable !== null) return wrong(`"${role}" may read ${readable}, not only the views for BI tools.`, rolesCommand)
  if (unreadable !== null)
    return wrong(
      `"${role}" may not read these views of ${biSchema}: ${unreadable}.`,
      `npx muster migrate && ${rolesCommand}`,
    )
  const differences = await settingDifferences(client, analystSettings, true)
  return differences.length === 0
    ? ok(`"${role}" reads the views for BI tools, and nothing else.`)
    : wrong(`Role settings differ from those that "muster roles" prints: ${differences.join(', ')}.`, rolesCommand)
}
