import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basePath } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { brotliBody, sameOriginOnly, sendEncoded } from '../response/static-body.ts'
import { buildDocsPage, docsPolicy } from './docs-page.ts'
import { addRoute } from './route.ts'

const docsPath = `${basePath}/docs`

const readAsset = (name: string): Buffer => readFileSync(new URL(`../../../assets/docs/${name}`, import.meta.url))

export const addDocsRoutes = (app: FastifyInstance): void => {
  const brotli = readAsset('scalar.js.br')
  const scriptPath = `${docsPath}/scalar-${createHash('sha256').update(brotli).digest('hex').slice(0, 16)}.js`
  addPage(app, scriptPath)
  addScript(app, scriptPath, brotli)
}

/** The page is rendered for each request, with a fresh nonce. */
const addPage = (app: FastifyInstance, scriptPath: string): void => {
  const page = buildDocsPage({
    openapiPath: `${basePath}/openapi.json`,
    scriptPath,
    css: readAsset('theme.css').toString(),
    icon: readAsset('icon.svg').toString(),
    setupScript: readAsset('prepare.js').toString(),
  })
  addRoute(app, docsPath, {
    GET: {
      handle: (request, reply) => {
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

/** The URL contains a hash of the content, so browsers may cache the script forever. */
const addScript = (app: FastifyInstance, scriptPath: string, brotli: Buffer): void => {
  const body = brotliBody(brotli)
  addRoute(app, scriptPath, {
    GET: {
      handle: (request, reply) => {
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
