import { maxBigint } from './filters.ts'

/** A position in the change feed, in the order in which changes are read. */
export interface ChangePosition {
  readonly xid: bigint
  readonly seq: bigint
  readonly id: bigint
}

export interface ChangeCursor extends ChangePosition {
  /** The start of the server during which the cursor was made (`muster_server_starts.id`). */
  readonly start: string
  /** Everything that the client has read lies before this position in the write-ahead log. */
  readonly lsn: string
}

const cursorPattern =
  /^(?<start>[0-9a-f]{16})\.(?<lsn>[0-9A-F]{1,8}\/[0-9A-F]{1,8})\.(?<xid>\d{1,19})\.(?<seq>\d{1,19})\.(?<id>-?\d{1,19})$/

export const encodeCursor = ({ start, lsn, xid, seq, id }: ChangeCursor): string =>
  Buffer.from([start, lsn, xid, seq, id].join('.')).toString('base64url')

/** Undefined if the text was not made by `encodeCursor`. */
export const decodeCursor = (text: string): ChangeCursor | undefined => {
  const decoded = Buffer.from(text, 'base64url').toString('latin1')
  const groups = cursorPattern.exec(decoded)?.groups
  if (groups === undefined) return undefined
  const cursor = {
    start: groups.start as string,
    lsn: groups.lsn as string,
    xid: BigInt(groups.xid as string),
    seq: BigInt(groups.seq as string),
    id: BigInt(groups.id as string),
  }
  const isInRange =
    cursor.xid <= maxBigint && cursor.seq <= maxBigint && cursor.id < maxBigint && cursor.id >= -maxBigint - 1n
  return isInRange && encodeCursor(cursor) === text ? cursor : undefined
}

export const isAfter = (a: ChangePosition, b: ChangePosition): boolean => {
  if (a.xid !== b.xid) return a.xid > b.xid
  return a.seq === b.seq ? a.id > b.id : a.seq > b.seq
}
