/** In charge of reads that need not be read again: answers kept in memory, sent only while they are certainly fresh. */
import { createHash } from 'node:crypto'
import type { Resource } from '@muster/model'
import { version as release } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Books } from '../database/books.ts'
import { SizedMap } from '../operations/sized-map.ts'
import { sendJson } from './answers.ts'

/** What a read found, and the version of the resource in the snapshot it was found in. */
export interface Reading {
  readonly version: string
  readonly text: string
}

interface Answer {
  readonly version: string
  readonly tag: string
  readonly body: Buffer
}

export interface FreshAnswers {
  /** Answers from memory where the resource has not changed since, else by `read`; 304 to those who hold the same. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    resource: Resource,
    read: () => Promise<Reading>,
  ): Promise<FastifyReply>
}

export const openFreshAnswers = (books: Books, maxBytes: number): FreshAnswers => {
  const kept = new SizedMap<Answer>(maxBytes)

  /** An answer that is as fresh as the moment of this call, without reading the resource; undefined where there is none. */
  const recall = async (url: string, table: string, held: string | undefined): Promise<Answer | string | undefined> => {
    const answer = kept.get(url)
    if (answer === undefined && held === undefined) return undefined
    const version = (await books.versions()).of(table)
    if (answer?.version === version) return answer
    return held === undefined ? undefined : tagOf(version, url)
  }

  return {
    async answer(request, reply, resource, read) {
      const url = request.raw.url ?? ''
      const held = request.headers['if-none-match']
      const recalled = await recall(url, resource.table, held)
      // Whether anything at all is at an address is not known from its tag.
      const tag = typeof recalled === 'object' ? recalled.tag : held?.trim() === '*' ? undefined : recalled
      if (held !== undefined && tag !== undefined && holds(held, tag)) return sendNotModified(reply, tag)
      if (typeof recalled === 'object') return sendAnswer(reply, recalled)
      const { version, text } = await read()
      const answer = { version, tag: tagOf(version, url), body: ownBytes(text) }
      kept.set(url, answer, answer.body.length + 400)
      if (held !== undefined && holds(held, answer.tag)) return sendNotModified(reply, answer.tag)
      return sendAnswer(reply, answer)
    },
  }
}

/** In memory of its own: a small buffer would keep alive the block that Node cuts small buffers from. */
const ownBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const sendAnswer = (reply: FastifyReply, { tag, body }: Answer): FastifyReply =>
  sendJson(reply.header('etag', tag).header('cache-control', 'no-cache'), body)

const sendNotModified = (reply: FastifyReply, tag: string): FastifyReply =>
  reply.code(304).header('etag', tag).header('cache-control', 'no-cache').send()

/** Strong: one release, one version of the resource and one address make one sequence of bytes. */
const tagOf = (version: string, url: string): string =>
  `"${createHash('sha256').update(`${release}\n${version}\n${url}`).digest('base64url').slice(0, 27)}"`

/** Compared weakly, as If-None-Match is: a front that compressed the answer may have marked the tag as weak. */
const holds = (held: string, tag: string): boolean =>
  held.trim() === '*' || held.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
