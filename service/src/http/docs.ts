/** In charge of the documentation's addresses: the page, rendered afresh each time, and its script, cached for good. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basePath } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { address } from './address.ts'
import { docsPage, docsPolicy } from './docs-page.ts'
import { brotliBody, sendEncoded } from './encoded-body.ts'

const docsPath = `${basePath}/docs`

const asset = (name: string): Buffer => readFileSync(new URL(`../../assets/docs/${name}`, import.meta.url))

const sameOriginOnly = { 'cross-origin-resource-policy': 'same-origin' }

export const addDocsRoutes = (app: FastifyInstance): void => {
  const brotli = asset('scalar.js.br')
  const scriptPath = `${docsPath}/scalar-${createHash('sha256').update(brotli).digest('hex').slice(0, 16)}.js`
  addPage(app, scriptPath)
  addScript(app, scriptPath, brotli)
}

const addPage = (app: FastifyInstance, scriptPath: string): void => {
  const page = docsPage({
    descriptionPath: `${basePath}/openapi.json`,
    scriptPath,
    css: asset('theme.css').toString(),
    icon: asset('icon.svg').toString(),
    preparation: asset('prepare.js').toString(),
  })
  address(app, docsPath, {
    GET: {
      answer: (request, reply) => {
        const nonce = randomBytes(18).toString('base64url')
        reply.headers({
          ...sameOriginOnly,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': docsPolicy(nonce),
          'cross-origin-opener-policy': 'same-origin',
          'cache-control': 'no-cache',
        })
        return sendEncoded(request, reply, page(nonce))
      },
    },
  })
}

/** The address names the content, so that a new release is fetched and an old one never asked for again. */
const addScript = (app: FastifyInstance, scriptPath: string, brotli: Buffer): void => {
  const body = brotliBody(brotli)
  address(app, scriptPath, {
    GET: {
      answer: (request, reply) => {
        reply.headers({
          ...sameOriginOnly,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        })
        return body.send(request, reply)
      },
    },
  })
}
