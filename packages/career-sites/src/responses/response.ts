/** Requests to career sites and the responses to them, without HTTP: the server reads the ones and sends the others. */

import type { Reader } from '../reader.ts'
import type { Page } from '../rendering/frame.ts'

/** What a URL names, decoded, and how it was requested. */
export interface Target {
  readonly site: string
  readonly locale: string
  readonly slug: string
  /** Whether the URL is at the root of the site's own domain. */
  readonly isOwnDomain: boolean
}

export interface SiteRequest {
  /** Reads the database on behalf of the client. */
  readonly reader: Reader
  readonly target: Target
  /**
   * As it was sent, without the query: relative URLs depend on percent signs and on a slash at the end.
   */
  readonly path: string
  readonly query: string
  /** The decoded parameters of the query. If a name is repeated, the last value counts. */
  readonly parameters: ReadonlyMap<string, string>
  readonly acceptLanguage: string | undefined
  /** The scheme and host of the request, where feeds of a site without a configured host begin their URLs. */
  readonly origin: string
}

export type SiteResponse = Redirect | PageResponse | StreamResponse

export interface Redirect {
  readonly kind: 'redirect'
  readonly status: 301 | 302
  readonly headers: Headers
}

export interface PageResponse {
  readonly kind: 'page'
  /**
   * The path below the site, with the parameters that the page depends on: the same for every spelling of the URL, so that
   * unknown parameters make no new cache entries.
   */
  readonly canonicalPath: string
  /** False if the page depends on the host of the request: no cache may store it. */
  readonly isCacheable: boolean
  /** Whether loading takes so long that only a few are loaded at a time. */
  readonly isCostly: boolean
  /** Throws `MissingPage` if there is no such page, `NotFound` if there is no such site. */
  readonly load: () => Promise<LoadedPage>
}

/** A response that is too long for the memory of the server. */
export interface StreamResponse {
  readonly kind: 'stream'
  readonly headers: Headers
  /** How many records the response has; undefined if that is not known before its end. */
  readonly rows: number | undefined
  /** Called when the server has time for the stream. Errors of the first part are thrown here. */
  readonly open: () => Promise<Iterable<string> | AsyncIterable<string>>
}

export type Headers = Readonly<Record<string, string>>

export interface LoadedPage {
  /** The version of `careerTables` that the page was read at. */
  readonly version: string
  readonly headers: Headers
  /** The text in parts, because it may be long: the server may do other work between them. */
  readonly parts: Iterable<string>
  /** How many records the page shows. */
  readonly rows: number
  /** When the page changes although no table does, in milliseconds since 1970. */
  readonly expiresAt: number | undefined
}

/** There is no active site, or nothing at this path of it. */
export class NotFound extends Error {}

/** The records changed while the page was loaded, so that the client must repeat the request. */
export class RecordsChanged extends Error {}

/** A page that says that there is no such page. Thrown, so that it is not taken for a page that may be cached. */
export class MissingPage extends Error {
  readonly page: Page
  readonly status: 404 | 410

  constructor(page: Page, status: 404 | 410) {
    super('The page does not exist.')
    this.page = page
    this.status = status
  }
}
