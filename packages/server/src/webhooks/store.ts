/** Reads and writes the states of endpoints in the table `muster_webhooks`. */
import type { Row, Runner } from '../postgres/connection/database.ts'
import { lastStart } from '../postgres/sql/change-position.ts'
import type { ChangeCursor } from '../queries/change-cursor.ts'
import { decodeCursor, encodeCursor } from '../queries/change-cursor.ts'
import type { EndpointState, EndpointStatus } from './endpoint-state.ts'

export interface StoredState extends EndpointState {
  readonly name: string
  readonly revision: string
  /** Whether no standby was promoted, and no backup restored, since `recordServerStart`. */
  readonly isSameTimeline: boolean
}

const columns =
  'name, status, cursor, message_id, message_body, message_cursor, attempts, next_attempt_at, last_error, revision::text'

const isSameTimeline =
  '(select count(distinct later.timeline) = 1 from muster_server_starts seen' +
  ' join muster_server_starts later on later.position >= seen.position where seen.id = server_start)'

export const loadStates = async (database: Runner): Promise<readonly StoredState[]> =>
  (await run(database, `select ${columns}, ${isSameTimeline} from muster_webhooks order by name`, [])).map(readRow)

export const loadState = async (database: Runner, name: string): Promise<StoredState | undefined> => {
  const [row] = await run(database, `select ${columns}, ${isSameTimeline} from muster_webhooks where name = $1`, [name])
  return row && readRow(row)
}

export const insertState = async (database: Runner, name: string, state: EndpointState): Promise<void> => {
  await run(
    database,
    'insert into muster_webhooks (name, status, cursor, message_id, message_body, message_cursor, attempts,' +
      ` next_attempt_at, last_error, server_start) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${lastStart})`,
    [name, ...valuesOf(state)],
  )
}

/** Returns false, and writes nothing, if another process has written the row since `stored` was read. */
export const updateState = async (database: Runner, stored: StoredState, state: EndpointState): Promise<boolean> => {
  const rows = await run(
    database,
    'update muster_webhooks set status = $2, cursor = $3, message_id = $4, message_body = $5, message_cursor = $6,' +
      ' attempts = $7, next_attempt_at = $8, last_error = $9, revision = revision + 1' +
      ' where name = $1 and revision = $10 returning name',
    [stored.name, ...valuesOf(state), stored.revision],
  )
  return rows.length > 0
}

/** From now on, `isSameTimeline` compares with the current start of the server. */
export const recordServerStart = async (database: Runner, name: string): Promise<void> => {
  await run(database, `update muster_webhooks set server_start = ${lastStart} where name = $1`, [name])
}

const run = (database: Runner, text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
  database.run({ pool: 'write', summary: 'webhooks', text, values })

const valuesOf = ({ status, cursor, message, attempts, nextAttemptAt, lastError }: EndpointState): unknown[] => [
  status,
  encodeCursor(cursor),
  message?.id,
  message?.body,
  message && encodeCursor(message.cursor),
  attempts,
  nextAttemptAt,
  lastError,
]

/** Of no start of the server: the feed rejects it, and the receiver is told to copy all records again. */
const invalidCursor: ChangeCursor = { start: '0'.repeat(16), lsn: '0/0', xid: 0n, seq: 0n, id: 0n }

/** Other sessions of the writer role can store any text. */
const readCursor = (text: unknown): ChangeCursor => decodeCursor(String(text)) ?? invalidCursor

const readRow = (row: Row): StoredState => {
  const [name, status, cursor, id, body, messageCursor, attempts, nextAttemptAt, lastError, revision, sameTimeline] =
    row
  return {
    name: String(name),
    status: status as EndpointStatus,
    cursor: readCursor(cursor),
    message: id === null ? undefined : { id: String(id), body: String(body), cursor: readCursor(messageCursor) },
    attempts: Number(attempts),
    nextAttemptAt: (nextAttemptAt as Date | null) ?? undefined,
    lastError: (lastError as string | null) ?? undefined,
    revision: String(revision),
    isSameTimeline: sameTimeline === true,
  }
}
