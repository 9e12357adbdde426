import { resources } from '@muster/model'
import type { Runner } from '../postgres/connection/database.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'

/** Domains reserved by RFC 2606 and RFC 6761. */
const reservedDomainPattern = '@(.*\\.)?(example\\.(com|net|org)|example|test|invalid|localhost)$'

/**
 * Whether any e-mail address may belong to a real person. If there is no such address, the query scans all rows, but no
 * request waits for it.
 */
export const hasRealEmails = async (database: Runner): Promise<boolean> => {
  const [row] = await database.run(realEmailsStatement())
  return row?.[0] === true
}

const realEmailsStatement = (): Statement => {
  const fields = resources.flatMap(({ table, allFields: all }) =>
    all.filter(({ name }) => name === 'email').map(({ name }) => [table, name] as const),
  )
  const conditions = fields.map(
    ([table, name]) =>
      `exists (select from ${quoteIdentifier(table)} where ${quoteIdentifier(name)} !~* ${quoteLiteral(reservedDomainPattern)})`,
  )
  return { pool: 'maintenance', summary: 'real emails', text: `select ${conditions.join(' or ')}`, values: [] }
}
