import type { CareerSites } from '@muster/career-sites'
import type { Database, RunnerFactory } from '../postgres/connection/database.ts'
import type { SearchCache } from '../queries/list/search.ts'
import type { Callers } from './access/callers.ts'
import type { RateLimitSettings, RateLimits } from './access/rate-limits.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Admission } from './connection/admission.ts'
import type { ChangeStreams } from './response/change-streams.ts'

export interface McpOptions {
  /** Whether agents with the write token may create records. */
  readonly writes: boolean
}

export interface ServerDependencies {
  readonly database: Database
  /** Runs the statements of reads: on the replicas if there are any, otherwise on the database. */
  readonly reader: RunnerFactory
  readonly searches: SearchCache
  readonly cache: ResponseCache
  readonly changeStreams: ChangeStreams
  readonly callers: Callers
  readonly admission: Admission
  readonly limits: RateLimitSettings
  /** Proxies whose X-Forwarded-For header is trusted: addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** Origins whose web pages may send creates. */
  readonly corsOrigins: readonly string[]
  /** The built files of the web console; undefined if the console is off. */
  readonly consoleFolder: URL | undefined
  /** The built Markdown documents. */
  readonly documentsFolder: URL
  /** Undefined if no career sites are served. */
  readonly careerSites: CareerSites | undefined
  /** How the Model Context Protocol is served; undefined if it is off. */
  readonly mcp: McpOptions | undefined
  /** The result of the check at startup: whether any e-mail address may belong to a real person. */
  readonly emailDomains: {
    /** Undefined until the check is done. The check runs only if reads are public. */
    readonly areReal: boolean | undefined
  }
  readonly lifecycle: {
    /** True during shutdown: requests are still served, but /readyz responds 503. */
    readonly draining: boolean
  }
}

/** The part of `ServerDependencies` that the read and create routes use. */
export type Dependencies = Pick<
  ServerDependencies,
  'database' | 'reader' | 'searches' | 'cache' | 'changeStreams' | 'callers' | 'admission'
> & { readonly limits: RateLimits }

export type CareerDependencies = Dependencies & { readonly careerSites: CareerSites }
