import type { Resource } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import { durableCommit, quoteIdentifier, quoteLiteral, recordText } from '../../postgres/sql/statement.ts'

export interface IdempotencyClaim {
  readonly key: string
  /** A digest of the body: the same key with another body is an error. */
  readonly fingerprint: Buffer
}

/**
 * Returns the id for the new record, or no row if the key is already claimed. A concurrent request with the same key
 * waits until the first request ends, and then finds the record that the first one stored.
 */
export const claimQuery = ({ path, table }: Resource, key: string, fingerprint: string): string =>
  `insert into muster_idempotency_keys (resource, key, fingerprint, record_id)` +
  ` select ${quoteLiteral(path)}, ${key}::text, ${fingerprint}::bytea, nextval(pg_get_serial_sequence(${quoteLiteral(table)}, 'id')) from ${durableCommit}` +
  ' on conflict do nothing returning record_id'

/** Selects whether the key was claimed with this body, and the current record. Returns no row if the key is free. */
export const findClaimStatement = (resource: Resource, { key, fingerprint }: IdempotencyClaim): Statement => ({
  pool: 'write',
  name: `find key ${resource.path}`,
  tables: [resource.table],
  text:
    `select fingerprint = $2, id, ${recordText(resource)} from muster_idempotency_keys left join ${quoteIdentifier(resource.table)} on id = record_id` +
    ` where resource = ${quoteLiteral(resource.path)} and key = $1`,
  values: [key, fingerprint],
})
