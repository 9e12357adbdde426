/** In charge of the claim that a create makes on the key it came with, and of what a claimed key stands for. */
import type { Resource } from '@muster/model'
import type { Statement } from '../database/statement.ts'
import { durably, literal, quoted } from '../database/statement.ts'

export interface Claim {
  readonly key: string
  /** A digest of the body: the same key with another one is another request. */
  readonly fingerprint: Buffer
}

/**
 * One row with the id that the new record is to have, or none where the key is taken. A twin under way is waited for: of
 * many at once one goes on, and the others find what it stored.
 */
export const claimQuery = ({ path, table }: Resource, key: string, fingerprint: string): string =>
  `insert into muster_idempotency_keys (resource, key, fingerprint, record_id)` +
  ` select ${literal(path)}, ${key}::text, ${fingerprint}::bytea, nextval(pg_get_serial_sequence(${literal(table)}, 'id')) from ${durably}` +
  ' on conflict do nothing returning record_id'

/** Whether the key came with this body, and the record as it is now; no row where the key is free. */
export const claimedStatement = ({ path, table }: Resource, { key, fingerprint }: Claim): Statement => ({
  pool: 'write',
  name: `claimed ${path}`,
  tables: [table],
  text:
    `select fingerprint = $2, id, record_json from muster_idempotency_keys left join ${quoted(table)} on id = record_id` +
    ` where resource = ${literal(path)} and key = $1`,
  values: [key, fingerprint],
})
