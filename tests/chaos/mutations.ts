/**
 * Changes to the source code for the controls of chaos cases. Each change removes the protection behind one guarantee.
 */
import type { Mutation } from '../mutations/mutation.ts'

export const mutations = {
  /** Cached responses are sent without a version check. */
  uncheckedResponses: {
    file: 'packages/server/src/http/cache/response-cache.ts',
    from: 'const isFresh = isCurrent(entry, current.of(entry.tables))',
    to: 'const isFresh = true',
  },
  /** Every result from a replica is used, even if its version is older than the primary's. */
  uncheckedReplicas: {
    file: 'packages/server/src/postgres/replicas.ts',
    from: 'const isFresh = found[0]?.[0] === versions.versionOnStandby(tables)',
    to: 'const isFresh = found.length > 0',
  },
  /** Missing triggers and unfinished restores are not detected. */
  uncheckedTriggers: {
    file: 'packages/server/src/postgres/connection/health-monitor.ts',
    from: 'await integrityError(database.controlPool)',
    to: 'undefined',
  },
  /** The epoch stays the same when the server loses commits in a crash. */
  epochWithoutCrashes: {
    file: 'packages/server/src/postgres/sql/statement.ts',
    from: "|| '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text end)",
    to: 'end)',
  },
  /** A rebuild that finds all counts correct does not renew the epoch. */
  epochKept: {
    file: 'packages/server/src/postgres/row-counts/rebuild.ts',
    from: 'await renewEpoch(client)\n',
    to: '\n',
  },
  /** Database connections have no error listener, so a broken connection crashes the process. */
  noErrorListeners: {
    file: 'packages/server/src/postgres/connection/database.ts',
    from: "pool.on('connect', (client) => client.on('error', ignore))\n  pool.on('error', ignore)",
    to: '',
  },
  /** Statements have no timeout. */
  noStatementLimit: {
    file: 'packages/server/src/postgres/connection/database.ts',
    from: 'query_timeout: timeoutMs,',
    to: '',
  },
  /** Requests have no timeouts. */
  noRequestLimits: {
    file: 'packages/server/src/http/server.ts',
    from: 'headersTimeout: 5_000,\n  requestTimeout: 10_000,',
    to: 'headersTimeout: 0, requestTimeout: 0,',
  },
  /** Creates are acknowledged before they are on disk. */
  asynchronousCommits: {
    file: 'packages/server/src/postgres/sql/statement.ts',
    from: "else 'on' end",
    to: "else 'off' end",
  },
  /** A full disk (SQLSTATE class 53) is reported as an invalid value: 422 instead of 503. */
  diskFullAsInvalidValue: {
    file: 'packages/server/src/postgres/connection/sqlstate.ts',
    from: '/^2[23]/.test(state)',
    to: '/^2[23]|^53/.test(state)',
  },
  /** A request may wait for a database connection for an hour. */
  unlimitedWait: {
    file: 'packages/server/src/postgres/connection/wait-limit.ts',
    from: 'export const maxWaitMs = 500',
    to: 'export const maxWaitMs = 3_600_000',
  },
  /** Every request starts as soon as it is parsed, without admission control. */
  noAdmission: {
    file: 'packages/server/src/http/connection/admission.ts',
    from: 'if (connection === undefined) listener(request, response)',
    to: 'if (connection !== null) listener(request, response)',
  },
  /** No connection is closed to make room for a new one. */
  noEviction: {
    file: 'packages/server/src/http/connection/connection-limits.ts',
    from: 'const { client } = arrived\n',
    to: 'return\n',
  },
  /** Every request leaks 20,000 bytes. */
  leak: {
    file: 'packages/server/src/http/server.ts',
    from: 'const nextId = requestIds()',
    to: 'const ids = requestIds(), kept = [], nextId = () => (kept.push(Buffer.alloc(20_000, 1)), ids())',
  },
} satisfies Record<string, Mutation>

/**
 * Changes that make the service slower. The benchmark guard must detect each change (tools/bench/guard.ts --mutations).
 */
export const slowDowns = {
  /** No response is stored in the cache. */
  cacheUnused: {
    file: 'packages/server/src/http/cache/response-cache.ts',
    from: 'entries.set(entry.key, entry)',
    to: 'void entry',
  },
  /** A cached response is compressed again for each request. */
  compressedEachTime: {
    file: 'packages/server/src/http/cache/response-cache.ts',
    from: 'this.#replies[encoding] ??= this.#compress(encoding as Compression)',
    to: "if (encoding !== 'identity') return this.#compress(encoding)",
  },
  /** The total of a list is computed with count(*), which reads every row. */
  countedTotal: {
    file: 'packages/server/src/queries/filters.ts',
    from: "? 'counts.rows'",
    to: "? '(select count(*) from candidates)'",
  },
  /** A page at any offset is read by scanning from the first row. */
  skippedRows: {
    file: 'packages/server/src/queries/list/list.ts',
    from: 'const maxScanOffset = 256n',
    to: 'const maxScanOffset = 1_000_000_000n',
  },
  /** Each page of a search runs the search again. */
  repeatedSearch: {
    file: 'packages/server/src/queries/list/search.ts',
    from: 'const cached = cache.get(key)',
    to: "const cached = cache.get('')",
  },
  /** Every search is planned for its terms. */
  searchesNotPrepared: {
    file: 'packages/server/src/queries/list/search-statements.ts',
    from: 'const maxPreparedTerms = 3',
    to: 'const maxPreparedTerms = -1',
  },
  /** Records cannot be found by the primary key. */
  getWithoutIndex: {
    file: 'packages/server/src/queries/get.ts',
    from: 'on id = any ($1)`',
    to: 'on id + 0 = any ($1)`',
  },
  /** Each create reads a whole table. */
  createWithScan: {
    file: 'packages/server/src/queries/create/create.ts',
    from: 'insert(columns, expressions, durableCommit)',
    to: "insert(columns, expressions, durableCommit + ', (select 1 from candidates having count(search_text) > 0) scanned')",
  },
} satisfies Record<string, Mutation>
