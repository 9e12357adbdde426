/** Finds out from the headers alone, before the body is read, who sends a request and what this caller may do. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ReadMode, Resource } from '@muster/model'
import { history } from '@muster/model'
import { Problem } from '../../errors.ts'
import type { ReadNeeds } from './rights.ts'
import { creatablePaths, pathsOfTables, readableNames, reportsNamed, tablesNamed, tablesOfAll } from './rights.ts'

/** Which fields a response shows: all fields (`full`), or all except the personal ones (`redacted`). */
export type Visibility = 'full' | 'redacted'

/** An entry of the access file. */
export interface NamedToken {
  readonly name: string
  /** The SHA-256 digest of the token in lower-case hexadecimal digits. */
  readonly sha256: string
  /** Names of resources and reports. */
  readonly read: 'all' | readonly string[]
  /** Whether personal fields are shown. */
  readonly personal: boolean
  /** Paths of resources. */
  readonly create: readonly string[]
  /** The last day on which the token is valid, in UTC. */
  readonly expires: string | undefined
}

/** Accepted tokens. */
export interface TokenLists {
  /** Tokens that may read and create everything. */
  readonly write: readonly string[]
  /** Tokens that may read everything. */
  readonly read: readonly string[]
  readonly named: readonly NamedToken[]
}

export const unauthorized = (): Problem => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

/** `missing` has the form of the rights in the access file. */
export const forbidden = (missing: Partial<Record<'read' | 'create', readonly string[]>>): Problem =>
  new Problem('forbidden', { details: { missing } })

interface Token extends Pick<NamedToken, 'name' | 'read' | 'personal' | 'expires'> {
  /** Undefined: the token is not for creates at all. */
  readonly create: readonly string[] | undefined
}

const dayMs = 86_400_000

/** Who sends a request, and what this caller may do. Requests with the same token share one object. */
export class Caller {
  /** The name of the token; undefined without a valid one. */
  readonly name: string | undefined
  /** The last day on which the token is valid. */
  readonly expires: string | undefined
  /** When the token becomes invalid, in milliseconds since 1970. */
  readonly expiresAt: number
  /** How the caller sees what it has the right to read; undefined if it may read nothing. */
  readonly visibility: Visibility | undefined
  /** Paths of the resources of which the caller may create records. */
  readonly create: readonly string[]
  readonly #isForCreates: boolean
  /** How the caller sees everything else; undefined if it may not read it. */
  readonly #otherVisibility: Visibility | undefined
  /** The tables that the caller has the right to read; undefined if it sees all tables in the same way. */
  readonly #tables: ReadonlySet<string> | undefined
  readonly #reports: readonly string[]

  constructor(mode: ReadMode, token?: Token) {
    this.name = token?.name
    this.expires = token?.expires
    this.expiresAt = token?.expires === undefined ? Infinity : Date.parse(token.expires) + dayMs
    this.create = token?.create ?? []
    this.#isForCreates = token?.create !== undefined
    this.visibility = visibilityIn(mode, token)
    this.#otherVisibility = mode === 'redacted' ? 'redacted' : undefined
    const names = mode === 'public' || token === undefined || token.read === 'all' ? undefined : token.read
    // Who sees no personal fields anywhere sees all tables in the same way.
    const isLimited = names !== undefined && this.visibility !== this.#otherVisibility
    this.#tables = isLimited ? new Set(tablesNamed(names)) : undefined
    this.#reports = isLimited ? reportsNamed(names) : []
  }

  /** Whether the visibility of a response depends on the tables that it is read from. */
  get isLimited(): boolean {
    return this.#tables !== undefined
  }

  /** Whether the caller may not read at all what it has no right to. */
  get isConfined(): boolean {
    return this.isLimited && this.#otherVisibility === undefined
  }

  /** How the caller sees a response. Throws `unauthorized` or `forbidden`. */
  visibilityOf(needs: ReadNeeds): Visibility {
    if (this.visibility === undefined) throw unauthorized()
    if (this.#has(needs)) return this.visibility
    if (this.#otherVisibility !== undefined) return this.#otherVisibility
    throw forbidden({ read: pathsOfTables(needs.tables.filter((table) => !this.#tables?.has(table))) })
  }

  /** Whether the caller has the right to all records of a resource. */
  hasRightTo(resource: Resource): boolean {
    return this.#has({ tables: tablesOfAll(resource) })
  }

  /** Whether the right to these tables alone allows a response that was read from them. */
  hasRightToTables(tables: readonly string[]): boolean {
    // The tables do not tell whose history a response shows.
    return this.#has({ tables: tables.includes(history.table) ? [...tables, ...tablesOfAll(history)] : tables })
  }

  /** Returns the name of the token. Throws `unauthorized` or `forbidden`. */
  requireCreate({ path }: Resource): string {
    if (this.name === undefined || !this.#isForCreates) throw unauthorized()
    if (!this.create.includes(path)) throw forbidden({ create: [path] })
    return this.name
  }

  /** The resources and reports that the caller may read as `visibility` says. */
  get readable(): readonly string[] {
    if (this.visibility === undefined) return []
    if (this.#tables === undefined) return readableNames
    const paths = pathsOfTables([...this.#tables])
    return readableNames.filter((name) => paths.includes(name) || this.#reports.includes(name))
  }

  #has({ tables, report }: ReadNeeds): boolean {
    const allowed = this.#tables
    if (allowed === undefined || (report !== undefined && this.#reports.includes(report))) return true
    return tables.every((table) => allowed.has(table))
  }
}

const visibilityIn = (mode: ReadMode, token: Token | undefined): Visibility | undefined => {
  if (mode === 'public') return 'full'
  if (token === undefined) return mode === 'redacted' ? 'redacted' : undefined
  return token.personal && token.read.length > 0 ? 'full' : 'redacted'
}

export interface Callers {
  readonly mode: ReadMode
  /** Whether any valid token may create records. */
  readonly createsEnabled: boolean
  of(request: IncomingMessage): Caller
  /** Replaces all tokens, for example after their files have changed. */
  replace(tokens: TokenLists): void
}

export const openCallers = (mode: ReadMode, tokens: TokenLists): Callers => {
  const anonymous = new Caller(mode)
  let callers = byDigest(mode, tokens)
  return {
    mode,
    get createsEnabled() {
      return callers.values().some(({ caller }) => caller.create.length > 0 && isValid(caller))
    },
    of(request) {
      const token = bearerToken(request)
      if (token === undefined) return anonymous
      const digest = digestOf(token)
      const found = callers.get(keyOf(digest))
      return found !== undefined && timingSafeEqual(digest, found.digest) && isValid(found.caller)
        ? found.caller
        : anonymous
    },
    replace(next) {
      callers = byDigest(mode, next)
    },
  }
}

const isValid = ({ expiresAt }: Caller): boolean => expiresAt === Infinity || Date.now() < expiresAt

interface KnownCaller {
  readonly digest: Buffer
  readonly caller: Caller
}

/**
 * The time of the search in the map tells nothing about a token, because nobody can choose the digest of a guess. The
 * tokens of the settings come first, so that a token in the access file too keeps all its rights.
 */
const byDigest = (mode: ReadMode, { write, read, named }: TokenLists): ReadonlyMap<string, KnownCaller> => {
  const unnamed = (token: string, create: readonly string[] | undefined): [Buffer, Token] => {
    const digest = digestOf(token)
    return [digest, { name: digest.toString('hex', 0, 4), read: 'all', personal: true, create, expires: undefined }]
  }
  const callers = new Map<string, KnownCaller>()
  for (const [digest, token] of [
    ...write.map((each) => unnamed(each, creatablePaths)),
    ...read.map((each) => unnamed(each, undefined)),
    ...named.map((each): [Buffer, Token] => [Buffer.from(each.sha256, 'hex'), each]),
  ]) {
    const key = keyOf(digest)
    if (!callers.has(key)) callers.set(key, { digest, caller: new Caller(mode, token) })
  }
  return callers
}

const digestOf = (token: string | Buffer): Buffer => hash('sha256', token, 'buffer')

const keyOf = (digest: Buffer): string => digest.toString('latin1')

/** Whether the request has a bearer token, valid or not. */
export const hasBearerToken = (request: IncomingMessage): boolean => bearerToken(request) !== undefined

const bearerToken = ({ rawHeaders, headers }: IncomingMessage): Buffer | undefined => {
  const { authorization } = headers
  if (authorization === undefined || headerCount('authorization', rawHeaders) !== 1) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  // Node decodes headers as Latin-1. A token with characters beyond ASCII is configured and sent as UTF-8.
  return token === undefined ? undefined : Buffer.from(token, 'latin1')
}

/**
 * How many times a header was sent, from the raw headers: `request.headers` silently drops duplicates of some headers.
 */
export const headerCount = (name: string, rawHeaders: readonly string[]): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] as string
    if (rawName.length === name.length && rawName.toLowerCase() === name) count += 1
  }
  return count
}
