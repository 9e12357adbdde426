/** In charge of reads that need not be read again: answers kept in memory, sent only while they are certainly fresh. */
import { Readable } from 'node:stream'
import type { FileFormat, ReadMode } from '@muster/model'
import { version as release } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Books } from '../database/books.ts'
import { SizedMap } from '../operations/sized-map.ts'
import { bestEncoding, readsVary } from './encodings.ts'
import { heldTag, isStar, tagName, tagOf } from './entity-tags.ts'
import { noteOutcome } from './outcome.ts'
import type { View } from './read-access.ts'
import { Representations } from './representations.ts'

/** What a read found, and the version of its source in the snapshot it was found in. */
export interface Reading {
  readonly version: string
  /** The text of the answer, in order; joined, its long pieces would be copied once more. */
  readonly pieces: readonly string[]
  /** Records in the text. */
  readonly rows: number
  /** Where the pages around it are. */
  readonly link?: string | undefined
}

/** An answer in memory: its bytes, and what is said of them. */
export interface Kept {
  /** The tables it was read from. */
  readonly source: string
  readonly version: string
  readonly representations: Representations
  /** To be called when it has come to take more memory. */
  readonly onGrown: () => void
  readonly rows: number
  /** The pattern of the address, for the log. */
  readonly route: string
}

export interface FreshAnswers {
  /** What is kept, and how much of it had to go. */
  readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number }
  /** The header fields of every 304 beside its tag, names and values by turns. */
  readonly unchanged: readonly string[]
  /** Gives `use` what is kept of a view of an address if it is as fresh as this call, else nothing; false where nothing is kept. */
  recall(view: View, url: string, use: (kept?: Kept) => void): boolean
  /** Answers by `read`, and keeps what is asked for again; 304 without reading to those who hold what would be read. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { readonly source: string; readonly view: View },
    read: () => Promise<Reading>,
  ): Promise<FastifyReply>
  /** Answers with a file that is not kept; 304 without opening it to those who hold it. */
  passOn(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { readonly source: string; readonly view: View; readonly format: FileFormat },
    open: () => Promise<{ readonly version: string; readonly rows: Readable }>,
  ): Promise<FastifyReply>
}

/** Addresses that were asked for, some ten thousand of them. */
const maxNamesBytes = 4_000_000

export const openFreshAnswers = (books: Books, maxBytes: number, mode: ReadMode): FreshAnswers => {
  const memory = new SizedMap<Kept>(maxBytes)
  /** Who reads a resource from end to end asks for each page once: to keep those would cost more than to read them. */
  const askedFor = new SizedMap<true>(maxNamesBytes)
  const cacheControl = mode === 'public' ? 'no-cache' : 'private, no-store'
  const unchanged = ['cache-control', cacheControl, 'vary', readsVary]
  const sendNotModified = (reply: FastifyReply, tag: string): FastifyReply => {
    noteOutcome(reply.request.raw, { cache: 'not_modified', rows: 0 })
    return withFields(reply.code(304).header('etag', tag), unchanged).send()
  }
  /** Kept where the address is asked for again. */
  const keep = (key: string, { version, pieces, rows, link }: Reading, shown: Pick<Kept, 'source' | 'route'>): Kept => {
    const said = ['cache-control', cacheControl, ...(link === undefined ? [] : ['link', link])]
    const representations = new Representations(tagName(originOf(version, key)), pieces, said)
    const onGrown = (): void => {
      if (memory.get(key) === kept) memory.set(key, kept, representations.bytes)
    }
    const kept: Kept = { ...shown, version, rows, representations, onGrown }
    if (askedFor.get(key)) memory.set(key, kept, representations.bytes)
    askedFor.set(key, true, 100)
    return kept
  }

  return {
    memory,
    unchanged,
    recall(view, url, use) {
      const kept = memory.get(keyOf(view, url))
      if (kept === undefined) return false
      books.versions().then(
        (versions) => use(versions.of(kept.source) === kept.version ? kept : undefined),
        () => use(),
      )
      return true
    },
    async answer(request, reply, { source, view }, read) {
      const key = keyOf(view, request.raw.url ?? '')
      const wanted = bestEncoding(request.headers['accept-encoding'])
      const held = request.headers['if-none-match']
      // Whether anything at all is at an address is not known from its tag: a star waits for the read.
      if (held !== undefined && !isStar(held)) {
        const version = (await books.versions()).of(source)
        const tag = heldTag(held, tagName(originOf(version, key)), wanted)
        if (tag !== undefined) return sendNotModified(reply, tag)
      }
      const kept = keep(key, await read(), { source, route: request.routeOptions.url ?? '' })
      const { representations, onGrown, rows } = kept
      const encoding = representations.encodingFor(wanted)
      const tag = held === undefined ? undefined : heldTag(held, representations.name, encoding)
      if (tag !== undefined) return sendNotModified(reply, tag)
      noteOutcome(request.raw, { cache: 'miss', rows })
      const { fields, body } = await representations.in(encoding, onGrown)
      return withFields(reply, fields).send(body)
    },
    async passOn(request, reply, { source, view, format }, open) {
      const key = `${format} ${keyOf(view, request.raw.url ?? '')}`
      const held = request.headers['if-none-match']
      if (held !== undefined) {
        const version = (await books.versions()).of(source)
        const tag = heldTag(held, tagName(originOf(version, key)), 'identity')
        if (tag !== undefined) return sendNotModified(reply, tag)
      }
      const { version, rows } = await open()
      const tag = tagOf(tagName(originOf(version, key)), 'identity')
      withFields(reply.header('etag', tag), unchanged)
      if (request.method !== 'HEAD') return reply.send(rows)
      // The framework would log the end of an unread stream as an error. Without a stream it would add a length of 0.
      rows.destroy()
      return reply.send(Readable.from([]))
    },
  }
}

const withFields = (reply: FastifyReply, fields: readonly string[]): FastifyReply => {
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] as string, fields[at + 1])
  return reply
}

/** An address begins with a slash or a scheme, so that no two views of two addresses have one key. */
const keyOf = (view: View, url: string): string => (view === 'full' ? url : `${view} ${url}`)

/** One release, one version of what is read and one view of an address make one sequence of bytes. */
const originOf = (version: string, key: string): string => `${release}\n${version}\n${key}`
