/** Responses that are streamed from the database as fast as the client reads. */
import type { FastifyReply } from 'fastify'
import { databaseUnavailable } from '../../errors.ts'
import type { Copy } from '../../postgres/connection/copy-stream.ts'
import type { CopyClient } from '../../postgres/connection/database.ts'
import type { Admission } from '../connection/admission.ts'
import { allowSlowReader } from '../connection/shutdown-and-slow-clients.ts'

/**
 * Starts a copy, which is cancelled if the client disconnects. From then on the request does not count toward its
 * client's load, and the client may read slowly.
 */
export const startCopy = async <T>(
  reply: FastifyReply,
  admission: Pick<Admission, 'clientOf' | 'release'>,
  open: (client: CopyClient) => Promise<Copy<T>>,
): Promise<Copy<T>> => {
  const { raw: request } = reply.request
  const disconnection = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnection.abort()
  })
  const copy = await open({ client: admission.clientOf(request), signal: disconnection.signal }).catch(
    (error: unknown) => {
      // The query was cancelled because the client disconnected. An error without a cause is not logged.
      throw disconnection.signal.aborted ? databaseUnavailable() : error
    },
  )
  allowSlowReader(reply.raw)
  admission.release(request)
  return copy
}
