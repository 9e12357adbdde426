/** In charge of the log of writes: one line for every create that a token let in, and nothing of its body. */
import type { Resource } from '@muster/model'
import type { Runner } from '../database/database.ts'
import { RefusedValue } from '../database/sql-states.ts'
import { literal } from '../database/statement.ts'
import { Problem } from '../errors.ts'

export interface Author {
  readonly requestId: string
  /** What the token goes by. */
  readonly token: string
}

/** What became of a create that stored nothing; one that stored something notes it itself. */
export type Outcome = 'refused' | 'replayed'

const columns = '(request_id, token, route, record_id, outcome)'

const routeOf = ({ path }: Resource): string => literal(`POST /v1/${path}`)

/** Notes the record that the query called `made` stored, in the statement that stores it: neither is there without the other. */
export const notingQuery = (resource: Resource, requestId: string, token: string): string =>
  `insert into muster_writes ${columns} select ${requestId}, ${token}, ${routeOf(resource)}, id, 'created' from made`

/** The answer stands whatever becomes of the line: a database that is away can note nothing. */
export const note = async (
  database: Runner,
  resource: Resource,
  { requestId, token, outcome, id }: Author & { outcome: Outcome; id?: number },
): Promise<void> => {
  try {
    await database.run({
      pool: 'write',
      name: `note ${resource.path}`,
      text: `insert into muster_writes ${columns} values ($1, $2, ${routeOf(resource)}, $3, $4)`,
      values: [requestId, token, id ?? null, outcome],
    })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof RefusedValue)) throw error
  }
}
