/** The bodies of messages, in the structure that Standard Webhooks recommends. They contain ids, never values of records. */
import { createHmac } from 'node:crypto'
import type { ChangeCursor } from '../queries/change-cursor.ts'
import { encodeCursor } from '../queries/change-cursor.ts'
import type { Change } from '../queries/changes.ts'
import { changeJson } from '../queries/changes.ts'
import type { Endpoint } from './endpoints.ts'

export interface Message {
  /** The same for every attempt: the header `webhook-id`. */
  readonly id: string
  readonly body: string
  /** The cursor of the endpoint once the message is delivered. */
  readonly cursor: ChangeCursor
}

export const maxChanges = 100

type Recipient = Pick<Endpoint, 'name' | 'secrets'>

/** `timestamp` is the time of the first change. `next` continues after the last one with GET /v1/changes?after=. */
export const changesMessage = (
  recipient: Recipient,
  changes: readonly [Change, ...Change[]],
  cursor: ChangeCursor,
): Message =>
  messageOf(recipient, cursor, {
    type: 'muster.changes',
    timestamp: changes[0].at,
    data: `{"changes":[${changes.map(changeJson).join(',')}],"next":"${encodeCursor(cursor)}"}`,
  })

/** Tells the receiver that changes may be missing, so it has to copy the records again. `cursor` is the end of the feed. */
export const resyncMessage = (recipient: Recipient, at: Date, cursor: ChangeCursor): Message =>
  messageOf(recipient, cursor, {
    type: 'muster.resync',
    timestamp: at.toISOString(),
    data: `{"next":"${encodeCursor(cursor)}"}`,
  })

/** No value contains a character that must be escaped. */
const messageOf = (
  { name, secrets }: Recipient,
  cursor: ChangeCursor,
  { type, timestamp, data }: { readonly type: string; readonly timestamp: string; readonly data: string },
): Message => {
  const body = `{"type":"${type}","timestamp":"${timestamp}","data":${data}}`
  return { id: messageId(name, secrets[0] as Buffer, body), body, cursor }
}

/**
 * The id proves that this program has built the body: other sessions of the writer role can change a stored message, but
 * do not know the secret. The cursor in the body makes it unique.
 */
const messageId = (name: string, secret: Buffer, body: string): string =>
  `msg_${createHmac('sha256', secret).update(`muster message\n${name}\n${body}`).digest('base64url').slice(0, 32)}`

/** False if a stored message was changed, or if its secret is not in use any more. The body contains its cursor. */
export const isAuthentic = ({ name, secrets }: Recipient, { id, body, cursor }: Message): boolean =>
  secrets.some((secret) => messageId(name, secret, body) === id) && JSON.parse(body).data.next === encodeCursor(cursor)

/** When the first change in the body happened. */
export const timestampOf = ({ body }: Message): Date => new Date(JSON.parse(body).timestamp)
