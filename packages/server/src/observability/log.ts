import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import type { ErrorCode } from '@muster/model'
import type { FastifyBaseLogger } from 'fastify'
import type { LevelWithSilent } from 'pino'
import { pino } from 'pino'
import { printable } from '../printable.ts'
import { BufferedWriter } from './buffered-writer.ts'

/**
 * How a response was produced: from the cache, from the database, as 304, or not cacheable (creates, errors,
 * documents).
 */
export type CacheOutcome = 'hit' | 'miss' | 'not_modified' | 'none'

export interface LogFields {
  readonly cache: CacheOutcome
  /** Number of records in the response. */
  readonly rows: number
  /** Number of records that the request created. */
  readonly created?: number
  readonly error?: ErrorCode
}

export interface RequestLogEntry extends LogFields {
  readonly id: string
  readonly method: string
  /** The URL pattern. Never the URL itself, which may contain search terms. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** The name of the token; undefined without a valid one. */
  readonly token: string | undefined
}

export interface Log {
  readonly logger: FastifyBaseLogger
  logRequest(entry: RequestLogEntry, request: IncomingMessage): void
}

/** A token of the settings is named by the first 8 hexadecimal digits of its digest. No token in the access file is. */
export const isDigestName = (name: string): boolean => /^[0-9a-f]{8}$/.test(name)

interface LineWriter {
  write(line: string): void
}

/** Writes one JSON object per line, by default to standard output. */
export const openLog = (level: LevelWithSilent, writer?: LineWriter): Log => {
  if (level === 'silent') return { logger: pino({ level }), logRequest: () => {} }
  const output = writer ?? new BufferedWriter(process.stdout.fd)
  // Logs are read in terminals too. A line of pino ends with a line break.
  const logger = pino({ level }, { write: (line) => output.write(`${printable(line.trimEnd())}\n`) })
  if (!logger.isLevelEnabled('info')) return { logger, logRequest: () => {} }
  const textBeforeId = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"id":"`
  return {
    logger,
    // Builds the same line that pino would write, at a fraction of the cost: no value contains a character that must be
    // escaped.
    logRequest({ id, method, route, status, ms, rows, cache, token }) {
      const roundedMs = Math.round(ms * 1_000) / 1_000
      const tokenText = token === undefined ? '' : `,"token":"${token}"`
      output.write(
        `{"level":30,"time":${Date.now()}${textBeforeId}${id}","method":"${method}","route":"${route}","status":${status},"ms":${roundedMs},"rows":${rows},"cache":"${cache}"${tokenText},"msg":"request completed"}\n`,
      )
    },
  }
}
