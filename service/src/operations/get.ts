/** In charge of getting one record by its id. */
import type { Resource } from '@muster/model'
import type { Database, Row } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { answerColumns, quoted } from '../database/statement.ts'

export const get = async (database: Database, resource: Resource, id: bigint): Promise<Row | undefined> =>
  (await database.run(getStatement(resource, id)))[0]

export const getStatement = (resource: Resource, id: bigint): Statement => ({
  name: `get ${resource.path}`,
  text: `select ${answerColumns(resource, 'found')} from ${quoted(resource.table)} found where id = $1`,
  values: [String(id)],
})
