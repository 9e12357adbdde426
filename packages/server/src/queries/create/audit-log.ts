/** Adds an entry to the audit log for every authorized create, without the request body. */
import type { Resource } from '@muster/model'
import { Problem } from '../../errors.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import { ConstraintViolation } from '../../postgres/connection/sqlstate.ts'
import { quoteLiteral } from '../../postgres/sql/statement.ts'

export interface Actor {
  readonly requestId: string
  /** The name of the token. */
  readonly token: string
}

/**
 * The outcome that is logged for a create that stored nothing. A create that stores a record logs it in the same
 * statement.
 */
export type AuditOutcome = 'refused' | 'replayed'

const columns = '(request_id, token, route, record_id, outcome)'

const routeOf = ({ path }: Resource): string => quoteLiteral(`POST /v1/${path}`)

/**
 * Logs the record that the query named `made` inserts. Part of the same statement, so that either both the record and
 * the entry are stored, or neither.
 */
export const auditQuery = (resource: Resource, requestId: string, token: string): string =>
  `insert into muster_audit_log ${columns} select ${requestId}, ${token}, ${routeOf(resource)}, id, 'created' from made`

/** A failure to log never changes the response: if the database is down, the entry is lost. */
export const recordAudit = async (
  database: Runner,
  resource: Resource,
  { requestId, token, outcome, id }: Actor & { outcome: AuditOutcome; id?: number },
): Promise<void> => {
  try {
    await database.run({
      pool: 'write',
      name: `audit ${resource.path}`,
      text: `insert into muster_audit_log ${columns} values ($1, $2, ${routeOf(resource)}, $3, $4)`,
      values: [requestId, token, id ?? null, outcome],
    })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof ConstraintViolation)) throw error
  }
}
