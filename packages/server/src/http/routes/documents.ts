/** The documentation as Markdown, and llms.txt, an index of it for programs that read Markdown. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { StaticBody } from '../response/static-body.ts'
import { plainBody } from '../response/static-body.ts'
import { addRoute } from './route.ts'

const indexPath = '/llms.txt'
const documentsPath = '/docs/'

const contentTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.json': 'application/json',
}
const plainText = 'text/plain; charset=utf-8'

export const addDocumentRoutes = (app: FastifyInstance, folder: URL): void => {
  const documents = loadDocuments(folder)
  const send = (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const document = documents.get(path)
    if (document === undefined) throw new Problem('not_found')
    const contentType = contentTypes[extname(path)] ?? plainText
    return document.send(request, reply.headers({ 'content-type': contentType, 'cache-control': 'no-cache' }))
  }
  addRoute(app, indexPath, { GET: { handle: (request, reply) => send(request, reply, indexPath) } })
  addRoute(app, `${documentsPath}*`, {
    GET: {
      handle: (request, reply) => {
        const { '*': name = '' } = request.params as Readonly<Record<string, string>>
        return send(request, reply, `${documentsPath}${name}`)
      },
    },
  })
}

/**
 * All documents by their path in URLs. A request can get only what is in this map, so no path leads to another file. It
 * is empty in a clone without a build.
 */
const loadDocuments = (folder: URL): ReadonlyMap<string, StaticBody> => {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '')
    return new Map(names.map((name) => [`/${name}`, plainBody(readFileSync(new URL(name, folder)))]))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
}
