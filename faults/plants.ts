/** In charge of the changes to the sources that controls run with: each takes away what keeps one promise. */

export interface Plant {
  /** Path from the root of the project. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly from: string
  readonly to: string
}

export const plants = {
  /** Answers from memory are sent without asking whether they are still true. */
  uncheckedAnswers: {
    file: 'service/src/http/fresh-answers.ts',
    from: 'use(versions.of(kept.source) === kept.version ? kept : undefined)',
    to: 'use(kept)',
  },
  /** Whatever a replica tells is taken for fresh. */
  uncheckedReplicas: {
    file: 'service/src/database/replicas.ts',
    from: 'const isFresh = found[0]?.[column] === versions.markedOf(source)',
    to: 'const isFresh = found.length > 0',
  },
  /** Missing triggers and unfinished restores are not noticed. */
  uncheckedTriggers: {
    file: 'service/src/database/watch.ts',
    from: 'await integrityFault(database.lookout)',
    to: 'undefined',
  },
  /** The epoch stays the same when the server loses commits in a crash. */
  epochWithoutCrashes: {
    file: 'service/src/database/statement.ts',
    from: "|| '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text end)",
    to: 'end)',
  },
  /** A repair that finds all counts right changes nothing. */
  epochKept: {
    file: 'service/src/database/repair.ts',
    from: 'await renewEpoch(client)\n',
    to: '\n',
  },
  /** Nobody listens to connections that break. */
  noErrorListeners: {
    file: 'service/src/database/database.ts',
    from: "pool.on('connect', (client) => client.on('error', ignore))\n  pool.on('error', ignore)",
    to: '',
  },
  /** Whoever asks the database waits as long as it takes. */
  noStatementLimit: {
    file: 'service/src/database/database.ts',
    from: 'query_timeout: answerMs,',
    to: '',
  },
  /** Whoever connects may take any time. */
  noRequestLimits: {
    file: 'service/src/app.ts',
    from: 'headersTimeout: 5_000,\n  requestTimeout: 10_000,',
    to: 'headersTimeout: 0, requestTimeout: 0,',
  },
  /** Creates are acknowledged before they are on disk. */
  hastyCommits: {
    file: 'service/src/database/statement.ts',
    from: "else 'on' end",
    to: "else 'off' end",
  },
  /** A server without room is taken to refuse what was sent. */
  lackTakenForRefusal: {
    file: 'service/src/database/sql-states.ts',
    from: '/^2[23]/.test(state)',
    to: '/^2[23]|^53/.test(state)',
  },
  /** Whoever finds every connection taken waits as long as it takes. */
  endlessWait: {
    file: 'service/src/database/admission-queue.ts',
    from: 'export const maxWaitMs = 500',
    to: 'export const maxWaitMs = 3_600_000',
  },
  /** Every request starts as soon as it is parsed. */
  noAdmission: {
    file: 'service/src/http/admission.ts',
    from: 'if (connection === undefined) {',
    to: 'if (connection !== null) {',
  },
  /** No connection is closed to make room for another. */
  noRoom: {
    file: 'service/src/http/connection-limits.ts',
    from: 'const { client } = arrived\n',
    to: 'return\n',
  },
  /** Something of every request is kept for good. */
  leak: {
    file: 'service/src/app.ts',
    from: 'const nextId = requestIds()',
    to: 'const ids = requestIds(), kept = [], nextId = () => (kept.push(Buffer.alloc(5_000, 1)), ids())',
  },
} satisfies Record<string, Plant>

export const plantIn = (text: string, { file, from, to }: Plant): string => {
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold the planting place once: ${from}`)
  return text.replace(from, () => to)
}
