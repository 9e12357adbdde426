/** SQL of the change feed that its pages and the exports share. */
import { epochExpression } from './statement.ts'

/** Whether the service has recorded the current start of the server, which decides which cursors are valid. */
export const isStartRecorded = `(select epoch from muster_primary_epoch) is not distinct from ${epochExpression}`

export const lastStart = '(select id from muster_server_starts order by position desc limit 1)'

/** Changes of transactions with a smaller id are shown. The sub-select makes PostgreSQL call the function once. */
export const changeHorizon = '(select muster_change_horizon())'

/**
 * The cursor of the snapshot, as an array: everything before it is visible in the snapshot. Null if `isStartRecorded` is
 * false. It is always the position of a change: the id of a transaction that wrote no change can be assigned again
 * after a crash.
 */
export const changePositionExpression =
  `(select case when ${isStartRecorded} then array[${lastStart}, pg_current_wal_flush_lsn()::text, xid::text, seq::text, id::text] end` +
  ` from ((select xid, seq, upper(ids) - 1 as id from muster_changes where xid < ${changeHorizon}` +
  ` order by xid desc, seq desc limit 1) union all select xid, seq, id from muster_last_pruned_change) positions` +
  ` order by xid desc, seq desc limit 1)`
