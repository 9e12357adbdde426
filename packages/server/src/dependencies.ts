import { openCareerSites } from '@muster/career-sites'
import type { ReadMode } from '@muster/model'
import type { Config } from './config/config.ts'
import { Problem } from './errors.ts'
import type { TokenLists } from './http/access/callers.ts'
import { openCallers } from './http/access/callers.ts'
import type { RateLimitSettings } from './http/access/rate-limits.ts'
import { openResponseCache } from './http/cache/response-cache.ts'
import { openAdmission } from './http/connection/admission.ts'
import type { ServerDependencies } from './http/dependencies.ts'
import { openChangeStreams } from './http/response/change-streams.ts'
import type { DatabaseObserver } from './postgres/connection/database.ts'
import { openDatabase } from './postgres/connection/database.ts'
import type { MonitorOptions } from './postgres/connection/health-monitor.ts'
import { monitorDatabase } from './postgres/connection/health-monitor.ts'
import type { ReplicaState } from './postgres/replicas.ts'
import { openReplicas } from './postgres/replicas.ts'
import { runMaintenance } from './postgres/row-counts/maintenance.ts'
import { openTableVersions } from './postgres/row-counts/table-versions.ts'
import { readMigrationFiles } from './postgres/schema/migrate.ts'
import { sourceOf, tableKey } from './postgres/sql/statement.ts'
import { hasRealEmails } from './privacy/real-emails.ts'
import type { FeedMonitorOptions } from './queries/change-feed-delay.ts'
import { monitorChangeFeed } from './queries/change-feed-delay.ts'
import { openSearchCache } from './queries/list/search.ts'

export interface DependencyOptions {
  readonly databaseUrl: string
  readonly readUrl?: string
  readonly replicaUrls?: readonly string[]
  readonly pooler?: Config['pooler']
  readonly poolSize: number
  readonly cacheBytes: number
  readonly reads: ReadMode
  readonly tokens: TokenLists
  readonly limits?: RateLimitSettings
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
  /** How many days the change feed keeps changes. */
  readonly changesDays?: number
  /** Whether the web console is served. */
  readonly console?: boolean
  /** Whether career sites are served. */
  readonly careerSites?: boolean
  readonly publicUrl?: string | undefined
  /** How the Model Context Protocol is served; undefined if it is off. */
  readonly mcp?: ServerDependencies['mcp']
  /** The output of `npm run build`. */
  readonly consoleFolder?: URL
  readonly documentsFolder?: URL
  readonly observer?: DatabaseObserver | undefined
}

export interface OpenDependencies extends ServerDependencies {
  readonly replicas: readonly ReplicaState[]
  /** How far the change feed was behind when it was last checked; 0 before the first check. */
  readonly changeFeed: { readonly behindSeconds: number | undefined }
  /**
   * Starts the health monitor, row count maintenance and the monitor of the change feed. Errors of the maintenance are
   * passed to `onError`; the service continues.
   */
  watch(
    onChange: MonitorOptions['onChange'],
    onError: (error: unknown) => void,
    onFeedChange?: FeedMonitorOptions['onChange'],
  ): void
  /** From now on, /readyz responds 503, but requests are still served. */
  drain(): void
  /** Checks whether any e-mail address may belong to a real person, and shows the result in the index of the API. */
  checkEmailDomains(): Promise<boolean>
  replaceTokens(tokens: TokenLists): void
  close(): Promise<void>
}

/** The search cache gets this share of the cache memory: matching ids are small compared with cached pages. */
const searchCacheShare = 0.25
/** The share of the postings of career sites, if they are on. */
const postingsShare = 0.25

/** The build writes into this package, so that the package contains everything it serves. */
const builtConsole = new URL('../console/', import.meta.url)
const builtDocuments = new URL('../documents/', import.meta.url)

export const openDependencies = ({
  databaseUrl,
  readUrl = databaseUrl,
  replicaUrls = [],
  pooler,
  poolSize,
  cacheBytes,
  reads,
  tokens,
  limits = {},
  trustedProxies = [],
  corsOrigins = [],
  changesDays = 30,
  console: hasConsole = true,
  consoleFolder = builtConsole,
  documentsFolder = builtDocuments,
  careerSites = false,
  publicUrl,
  mcp,
  observer,
}: DependencyOptions): OpenDependencies => {
  const database = openDatabase({ url: databaseUrl, readUrl, pooler, poolSize, observer })
  const versions = openTableVersions(database, replicaUrls.length > 0)
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : openReplicas({ urls: replicaUrls, primary: database, versions, pooler, poolSize, observer })
  const reader = replicas ?? database
  const callers = openCallers(reads, tokens)
  const changeStreams = openChangeStreams(database)
  const usedShare = searchCacheShare + (careerSites ? postingsShare : 0)
  const cache = openResponseCache(versions, cacheBytes * (1 - usedShare), reads)
  const stopController = new AbortController()
  let watchTasks = Promise.resolve()
  const lifecycle = { draining: false }
  const changeFeed: { behindSeconds: number | undefined } = { behindSeconds: undefined }
  const emailDomains: { areReal: boolean | undefined } = { areReal: undefined }
  return {
    database,
    reader,
    replicas: replicas?.states ?? [],
    changeFeed,
    callers,
    limits,
    trustedProxies,
    admission: openAdmission(trustedProxies),
    corsOrigins,
    consoleFolder: hasConsole ? consoleFolder : undefined,
    documentsFolder,
    careerSites: careerSites
      ? openCareerSites({
          versionOf: (tables) => cache.versionOf(tableKey(sourceOf(tables))),
          isOutage: isDatabaseOutage,
          maxBytes: cacheBytes * postingsShare,
          publicUrl,
        })
      : undefined,
    mcp,
    emailDomains,
    searches: openSearchCache(cacheBytes * searchCacheShare),
    cache,
    changeStreams,
    lifecycle,
    drain() {
      lifecycle.draining = true
      database.endPatience()
      changeStreams.close()
    },
    watch(onChange, onError, onFeedChange = () => {}) {
      const { signal } = stopController
      const monitor = async () => {
        const files = await readMigrationFiles()
        await monitorDatabase({ database, url: databaseUrl, readUrl, files, onChange, signal })
      }
      const monitorFeed = () =>
        monitorChangeFeed({
          database,
          onRead: (delay) => {
            changeFeed.behindSeconds = delay?.behindSeconds
          },
          onChange: onFeedChange,
          signal,
        })
      const tasks = [
        monitor(),
        runMaintenance(database, changesDays, signal, onError),
        monitorFeed(),
        replicas?.watch(signal),
      ]
      watchTasks = Promise.all(tasks).then(() => {}, onError)
    },
    async checkEmailDomains() {
      emailDomains.areReal = await hasRealEmails(database)
      return emailDomains.areReal
    },
    replaceTokens(next) {
      callers.replace(next)
      // Clients connect again, and are authorized by the new tokens.
      changeStreams.endAll()
    },
    async close() {
      stopController.abort()
      database.setReady(false)
      await watchTasks
      await replicas?.close()
      await database.close()
    },
  }
}

const isDatabaseOutage = (error: unknown): boolean =>
  error instanceof Problem && ['database_unavailable', 'query_timeout'].includes(error.code)
