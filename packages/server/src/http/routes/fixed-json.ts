import { jsonType } from '../request/media-type.ts'
import { varyEncoding } from '../response/compression.ts'
import type { StaticBody } from '../response/static-body.ts'
import { plainBody } from '../response/static-body.ts'
import type { Handler } from './route.ts'

/** A JSON document that does not change while the process runs. It is created when it is first requested. */
export const fixedJsonHandler = (createDocument: () => object, vary = varyEncoding): Handler => {
  // All responses share one buffer, so a client that sends many requests without reading the responses causes no copies
  // in memory.
  let body: StaticBody | undefined
  const headers = { 'content-type': jsonType, 'cache-control': 'no-cache' }
  return {
    handle: (request, reply) => {
      body ??= plainBody(Buffer.from(JSON.stringify(createDocument())))
      return body.send(request, reply.headers(headers), vary)
    },
  }
}
