/**
 * Responses in memory. An entry is sent only if a read of the table versions, started after the request arrived,
 * returns the version that the entry was loaded at.
 */
import type { ReadMode } from '@muster/model'
import { LRUCache } from 'lru-cache'
import type { TableVersions } from '../../postgres/row-counts/table-versions.ts'
import type { Visibility } from '../access/callers.ts'
import type { Compression, Encoding } from '../request/accept-encoding.ts'
import { jsonType } from '../request/media-type.ts'
import { compressToBuffer, encodingFor, varyRead } from '../response/compression.ts'
import { etagName, etagNameAt, etagOf, isStar, matchingEtag } from '../response/etag.ts'
import type { Reply } from '../response/reply.ts'
import { notModified } from '../response/reply.ts'

export interface CacheRequest {
  /** The result of `cacheKey`. */
  readonly key: string
  /** The tables that the response depends on, from `tableKey`. */
  readonly tables: string
  /** The URL pattern, for the log. */
  readonly route: string
  readonly client: ClientHeaders
  /** Whether the response is stored at its first request, if it is not large; others are stored at their second. */
  readonly isExpensive: boolean
  /** True if the response may have `expiresAt`: a current version does not prove then that the client's ETag is current. */
  readonly canExpire?: boolean
}

export type CacheResult =
  | { readonly entry: CachedResponse; readonly isHit: boolean }
  /** The client's ETag is current: it gets 304, for which no entry is needed. */
  | { readonly notModified: Reply }

export interface ResponseCache {
  readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number }
  /** The Cache-Control header of every response to a read. */
  readonly cacheControl: string
  /**
   * Calls `use` with the entry if it is fresh, else with undefined. Returns false, without calling `use`, if no entry
   * is stored.
   */
  getFresh(key: string, use: (entry?: CachedResponse) => void): boolean
  /**
   * Returns the fresh entry, or loads it once for all concurrent callers. If the client's ETag is current, nothing is
   * loaded.
   */
  getOrLoad(request: CacheRequest, load: () => Promise<LoadedResponse>): Promise<CacheResult>
  /** The current version of these tables. */
  versionOf(tables: string): Promise<string>
}

/** Number of URLs that are remembered as requested, and of their characters: a URL may have 16,000. */
const maxSeenUrls = 10_000
const maxSeenCharacters = 4_000_000
/**
 * A larger response is stored at its second request, even if it is expensive: a client that requests large reports once
 * each would evict all other responses.
 */
const maxFirstBytes = 100_000
/** Estimated bytes of an entry beyond its body: objects, headers and bookkeeping. */
const entryOverhead = 1_000

interface RunningLoad {
  /** Undefined when the load has ended. */
  entry: Promise<CachedResponse> | undefined
}

export const openResponseCache = (versions: TableVersions, maxBytes: number, mode: ReadMode): ResponseCache => {
  let evictions = 0
  const entries = new LRUCache<string, CachedResponse>({
    // To lru-cache, 0 means no limit. No entry fits into 1 byte, so the cache is then off.
    maxSize: Math.max(Math.floor(maxBytes), 1),
    sizeCalculation: ({ bytes }, key) => bytes + key.length * 2 + entryOverhead,
    dispose: (_entry, _key, reason) => {
      if (reason === 'evict') evictions += 1
    },
  })
  /**
   * The URLs of the latest requests. A client that reads a whole table requests every page once; caching those pages
   * took 287 MB instead of 224 MB (npm run bench -- compare) and evicted responses in use.
   */
  const seenUrls = new LRUCache<string, true>({
    max: maxSeenUrls,
    maxSize: maxSeenCharacters,
    sizeCalculation: (_, key) => key.length,
  })
  const runningLoads = new Map<string, RunningLoad>()
  const cacheControl = mode === 'public' ? 'no-cache' : 'private, no-store'

  const storeEntry = (entry: CachedResponse): void => {
    entries.set(entry.key, entry)
  }
  /** Stores the entry again, so that the cache counts its new size. */
  const onGrown = (entry: CachedResponse): void => {
    if (entries.peek(entry.key) === entry) storeEntry(entry)
  }
  const loadEntry = async (
    { key, tables, route, isExpensive }: CacheRequest,
    load: () => Promise<LoadedResponse>,
  ): Promise<CachedResponse> => {
    const entry = new CachedResponse(await load(), { key, tables, route, cacheControl, onGrown })
    if ((isExpensive && entry.bytes <= maxFirstBytes) || seenUrls.has(key)) storeEntry(entry)
    seenUrls.set(key, true)
    return entry
  }

  return {
    memory: {
      maxBytes,
      get bytes() {
        return entries.calculatedSize
      },
      get evictions() {
        return evictions
      },
    },
    cacheControl,
    getFresh(key, use) {
      const entry = entries.get(key)
      if (entry === undefined) return false
      versions.read().then(
        (current) => {
          const isFresh = isCurrent(entry, current.of(entry.tables))
          if (!isFresh && entries.peek(key) === entry) entries.delete(key)
          use(isFresh ? entry : undefined)
        },
        () => use(),
      )
      return true
    },
    async getOrLoad(request, load) {
      const { key, tables, client, canExpire = false } = request
      const { ifNoneMatch } = client
      // `If-None-Match: *` matches only if the record exists, so the record must be loaded.
      const isConditional = ifNoneMatch !== undefined && !isStar(ifNoneMatch) && !canExpire
      const storedEntry = entries.get(key)
      const runningLoad = runningLoads.get(key)
      // A load that is already running may have taken its snapshot before a write that this caller has seen, so the
      // version it returns is checked.
      const existing = storedEntry ?? (await runningLoad?.entry?.catch(() => undefined))
      if (existing !== undefined || isConditional) {
        const version = (await versions.read()).of(tables)
        const etag = isConditional ? matchingEtag(ifNoneMatch, etagNameAt(version, key), client.encoding) : undefined
        if (etag !== undefined) return { notModified: notModified(etag, cacheControl) }
        if (existing !== undefined && isCurrent(existing, version)) return { entry: existing, isHit: true }
      }
      const entry = loadEntry(request, load)
      const ownLoad: RunningLoad = { entry }
      runningLoads.set(key, ownLoad)
      try {
        return { entry: await entry, isHit: false }
      } finally {
        // When a Map grows or shrinks, V8 copies it, and the old copies keep their values alive until the next full
        // garbage collection. Without this line every response would be kept that long, which cost a quarter of the
        // rate of uncached lists.
        ownLoad.entry = undefined
        if (runningLoads.get(key) === ownLoad) runningLoads.delete(key)
      }
    },
    versionOf: async (tables) => (await versions.read()).of(tables),
  }
}

/** Most JSON responses never expire, so that they need not read the clock. */
const isCurrent = ({ version, expiresAt }: CachedResponse, currentVersion: string): boolean =>
  version === currentVersion && (expiresAt === undefined || Date.now() < expiresAt)

/**
 * The key is unambiguous: a URL begins with a slash or a scheme, never with the name of a visibility and a space, and
 * contains no space that could begin a variant.
 */
export const cacheKey = (visibility: Visibility, url: string, variant?: string): string => {
  const key = visibility === 'full' ? url : `${visibility} ${url}`
  return variant === undefined ? key : `${key} ${variant}`
}

export interface LoadedResponse {
  /** The version of the tables in the snapshot of the query. */
  readonly version: string
  /** The JSON text in parts: joining them would copy long strings once more. */
  readonly pieces: readonly string[]
  /** Number of records in the JSON text. */
  readonly rows: number
  readonly link?: string | undefined
  /** Present if the text is not JSON but a file to download. */
  readonly file?: { readonly type: string; readonly name: string }
  /**
   * Present if the text is neither JSON nor a file: all headers that describe it, including those that replace
   * `securityHeaders`, by lower-case name. The text determines the ETag.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** When the response changes although no table does, in milliseconds since 1970. The text then determines the ETag. */
  readonly expiresAt?: number | undefined
}

/** What the client's headers Accept-Encoding and If-None-Match request. */
export interface ClientHeaders {
  readonly encoding: Encoding
  readonly ifNoneMatch: string | undefined
}

export interface CacheEntryOptions {
  readonly key: string
  readonly tables: string
  readonly route: string
  readonly cacheControl: string
  /** Called after a compressed representation was added to the entry, which then takes more memory. */
  readonly onGrown: (entry: CachedResponse) => void
}

export class CachedResponse {
  readonly key: string
  readonly tables: string
  readonly route: string
  readonly version: string
  readonly rows: number
  readonly expiresAt: number | undefined
  /** Size of the entry in memory, which grows with each compressed representation. */
  bytes: number
  readonly #etagName: string
  readonly #plain: Buffer
  /** Headers of 304 too, without the ETag. */
  readonly #headers: readonly string[]
  readonly #notModifiedHeaders: readonly string[]
  readonly #isSelfDescribed: boolean
  readonly #onGrown: (entry: CachedResponse) => void
  readonly #replies: Partial<Record<Encoding, Reply | Promise<Reply>>>

  constructor(
    { version, pieces, rows, link, file, headers, expiresAt }: LoadedResponse,
    { key, tables, route, cacheControl, onGrown }: CacheEntryOptions,
  ) {
    this.key = key
    this.tables = tables
    this.route = route
    this.version = version
    this.rows = rows
    this.expiresAt = expiresAt
    this.#plain = bytesOf(pieces)
    this.#isSelfDescribed = headers !== undefined
    // The version does not tell a response that can expire from the next one.
    const isNamedByVersion = headers === undefined && expiresAt === undefined
    this.#etagName = isNamedByVersion ? etagNameAt(version, key) : etagName(this.#plain)
    const { 'content-type': contentType = file?.type ?? jsonType, ...ownHeaders } = headers ?? {
      'cache-control': cacheControl,
      vary: varyRead,
    }
    // A browser replaces the headers of its stored page by those of a 304 response (RFC 9111, section 4.3.4).
    this.#notModifiedHeaders = Object.entries(ownHeaders).flat()
    this.#headers = [
      ...this.#notModifiedHeaders,
      ...['content-type', contentType],
      ...(link === undefined ? [] : ['link', link]),
      ...(file === undefined ? [] : ['content-disposition', `attachment; filename="${file.name}"`]),
    ]
    this.#onGrown = onGrown
    this.#replies = { identity: this.#reply(this.#plain, 'identity') }
    this.bytes = this.#plain.length + (link?.length ?? 0)
  }

  /** Returns a promise only if the response has to be compressed first. Concurrent callers share one compression. */
  replyTo({ encoding: accepted, ifNoneMatch }: ClientHeaders): Reply | Promise<Reply> {
    const encoding = accepted === 'identity' ? accepted : encodingFor(accepted, this.#plain.length)
    const etag = ifNoneMatch === undefined ? undefined : matchingEtag(ifNoneMatch, this.#etagName, encoding)
    if (etag !== undefined) return this.#notModified(etag)
    this.#replies[encoding] ??= this.#compress(encoding as Compression)
    return this.#replies[encoding]
  }

  /** If compression fails, the uncompressed bytes are sent. */
  async #compress(encoding: Compression): Promise<Reply> {
    try {
      const body = await compressToBuffer(this.#plain, encoding)
      const reply = this.#reply(body, encoding)
      this.#replies[encoding] = reply
      this.bytes += body.length
      this.#onGrown(this)
      return reply
    } catch {
      delete this.#replies[encoding]
      return this.#reply(this.#plain, 'identity')
    }
  }

  #notModified(etag: string): Reply {
    const fields = ['etag', etag, ...this.#notModifiedHeaders]
    return { status: 304, fields, body: undefined, isSelfDescribed: this.#isSelfDescribed }
  }

  #reply(body: Buffer, encoding: Encoding): Reply {
    const fields = [
      ...['etag', etagOf(this.#etagName, encoding), ...this.#headers],
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      ...['content-length', String(body.length)],
    ]
    return { status: 200, fields, body, isSelfDescribed: this.#isSelfDescribed }
  }
}

/**
 * Buffers that fill whole memory pages reduce fragmentation. Measured: the process took 226 MB instead of 257 MB at the
 * same load.
 */
const pageBytes = 4_096

/** The buffer is not taken from Node's pool: a small pooled buffer would keep the shared block of 64 KiB alive. */
const bytesOf = (pieces: readonly string[]): Buffer => {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const capacity = length < pageBytes ? length : Math.ceil(length / pageBytes) * pageBytes
  const bytes = Buffer.allocUnsafeSlow(capacity).subarray(0, length)
  let offset = 0
  for (const piece of pieces) offset += bytes.write(piece, offset)
  return bytes
}
