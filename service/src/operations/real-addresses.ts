/** In charge of telling whether e-mail addresses are stored that may belong to real people. */
import { resources } from '@muster/model'
import type { Database } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { literal, quoted } from '../database/statement.ts'

/** The domains of RFC 2606 and 6761, where nobody lives. */
const reserved = '@(.*\\.)?(example\\.(com|net|org)|example|test|invalid|localhost)$'

/** Takes a while where there are many and none is real: nobody waits for it. */
export const holdsRealAddresses = async (database: Database): Promise<boolean> => {
  const [row] = await database.run(realAddressesStatement())
  return row?.[0] === true
}

const realAddressesStatement = (): Statement => {
  const fields = resources.flatMap(({ table, all }) =>
    all.filter(({ name }) => name === 'email').map(({ name }) => [table, name] as const),
  )
  const found = fields.map(
    ([table, name]) => `exists (select from ${quoted(table)} where ${quoted(name)} !~* ${literal(reserved)})`,
  )
  return { pool: 'maintenance', summary: 'real addresses', text: `select ${found.join(' or ')}`, values: [] }
}
