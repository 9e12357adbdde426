/** In charge of reads that need not be read again: answers kept in memory, sent only while they are certainly fresh. */
import { hash } from 'node:crypto'
import type { ReadMode, Resource } from '@muster/model'
import { version as release } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Books } from '../database/books.ts'
import { SizedMap } from '../operations/sized-map.ts'
import { sendJson } from './answers.ts'
import { noteOutcome } from './outcome.ts'
import type { View } from './read-access.ts'

/** What a read found, and the version of the resource in the snapshot it was found in. */
export interface Reading {
  readonly version: string
  readonly text: string
  /** Records in the text. */
  readonly rows: number
}

/** An answer in memory: its bytes, and what is said of them. */
export interface Kept {
  readonly resource: Resource
  readonly version: string
  readonly tag: string
  readonly body: Buffer
  readonly rows: number
  /** The pattern of the address, for the log. */
  readonly route: string
}

export interface FreshAnswers {
  /** What is said of every answer to those who might keep it too. */
  readonly cacheControl: string
  /** What is kept, and how much of it had to go. */
  readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number }
  /** Gives `use` what is kept of a view of an address if it is as fresh as this call, else nothing; false where nothing is kept. */
  recall(view: View, url: string, use: (kept?: Kept) => void): boolean
  /** Answers by `read` and keeps the answer; 304 without reading to those who hold what would be read. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { readonly resource: Resource; readonly view: View },
    read: () => Promise<Reading>,
  ): Promise<FastifyReply>
}

export const openFreshAnswers = (books: Books, maxBytes: number, mode: ReadMode): FreshAnswers => {
  const memory = new SizedMap<Kept>(maxBytes)
  const cacheControl = mode === 'public' ? 'no-cache' : 'private, no-store'
  const sendNotModified = (reply: FastifyReply, tag: string): FastifyReply => {
    noteOutcome(reply.request.raw, { cache: 'not_modified', rows: 0 })
    return reply.code(304).header('etag', tag).header('cache-control', cacheControl).send()
  }

  return {
    cacheControl,
    memory,
    recall(view, url, use) {
      const kept = memory.get(keyOf(view, url))
      if (kept === undefined) return false
      books.versions().then(
        (versions) => use(versions.of(kept.resource.table) === kept.version ? kept : undefined),
        () => use(),
      )
      return true
    },
    async answer(request, reply, { resource, view }, read) {
      const key = keyOf(view, request.raw.url ?? '')
      const held = request.headers['if-none-match']
      // Whether anything at all is at an address is not known from its tag: a star waits for the read.
      if (held !== undefined && held.trim() !== '*') {
        const tag = tagOf((await books.versions()).of(resource.table), key)
        if (holds(held, tag)) return sendNotModified(reply, tag)
      }
      const { version, text, rows } = await read()
      const kept = {
        resource,
        version,
        tag: tagOf(version, key),
        body: ownBytes(text),
        rows,
        route: request.routeOptions.url ?? '',
      }
      memory.set(key, kept, kept.body.length + 400)
      if (held !== undefined && holds(held, kept.tag)) return sendNotModified(reply, kept.tag)
      noteOutcome(request.raw, { cache: 'miss', rows })
      return sendJson(reply.header('etag', kept.tag).header('cache-control', cacheControl), kept.body)
    },
  }
}

/** An address begins with a slash or a scheme, so that no two views of two addresses have one key. */
const keyOf = (view: View, url: string): string => (view === 'full' ? url : `${view} ${url}`)

/** In memory of its own: a small buffer would keep alive the block that Node cuts small buffers from. */
const ownBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Strong: one release, one version of the resource and one view of an address make one sequence of bytes. */
const tagOf = (version: string, key: string): string =>
  `"${hash('sha256', `${release}\n${version}\n${key}`, 'base64url').slice(0, 27)}"`

/** Compared weakly, as If-None-Match is: a front that compressed the answer may have marked the tag as weak. */
export const holds = (held: string, tag: string): boolean =>
  held.trim() === '*' || held.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
