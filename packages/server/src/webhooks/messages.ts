/** The bodies of messages, in the structure that Standard Webhooks recommends. They contain ids, never values of records. */
import { randomUUID } from 'node:crypto'
import type { ChangeCursor } from '../queries/change-cursor.ts'
import { encodeCursor } from '../queries/change-cursor.ts'
import type { Change } from '../queries/changes.ts'
import { changeJson } from '../queries/changes.ts'

export interface Message {
  /** The same for every attempt: the header `webhook-id`. */
  readonly id: string
  readonly body: string
  /** The cursor of the endpoint once the message is delivered. */
  readonly cursor: ChangeCursor
}

export const maxChanges = 100

/** `timestamp` is the time of the first change. `next` continues after the last one with GET /v1/changes?after=. */
export const changesMessage = (changes: readonly [Change, ...Change[]], cursor: ChangeCursor): Message =>
  messageOf(
    'muster.changes',
    changes[0].at,
    `{"changes":[${changes.map(changeJson).join(',')}],"next":"${encodeCursor(cursor)}"}`,
    cursor,
  )

/** Tells the receiver that changes may be missing, so it has to copy the records again. `cursor` is the end of the feed. */
export const resyncMessage = (at: Date, cursor: ChangeCursor): Message =>
  messageOf('muster.resync', at.toISOString(), `{"next":"${encodeCursor(cursor)}"}`, cursor)

/** No value contains a character that must be escaped. */
const messageOf = (type: string, timestamp: string, data: string, cursor: ChangeCursor): Message => ({
  id: `msg_${randomUUID()}`,
  body: `{"type":"${type}","timestamp":"${timestamp}","data":${data}}`,
  cursor,
})

/** When the first change in the body happened. */
export const timestampOf = ({ body }: Message): Date => new Date(JSON.parse(body).timestamp)
