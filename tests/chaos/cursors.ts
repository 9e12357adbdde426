/** Cursors of the change feed, as a client keeps them across faults. */
import type { Client } from './client.ts'
import { sendUntilServed } from './client.ts'

/** The cursor of a client that has read all changes. */
export const readCursor = async (client: Client): Promise<string> => {
  const { status, text } = await client.send('/api/v1/changes')
  if (status !== 200) throw new Error(`the change feed responded ${status}: ${text}`)
  return (JSON.parse(text) as { meta: { next: string } }).meta.next
}

/** The status with which the feed responds to a cursor: 410 if the client must copy everything again. */
export const statusOfCursor = async (client: Client, cursor: string): Promise<number> =>
  (await sendUntilServed(client, `/api/v1/changes?after=${cursor}`)).status
