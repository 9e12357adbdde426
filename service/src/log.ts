/** In charge of the log: one JSON object per line on standard output, and a line for every answer that costs next to nothing. */
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import type { ErrorCode } from '@muster/model'
import type { FastifyBaseLogger } from 'fastify'
import type { LevelWithSilent } from 'pino'
import { pino } from 'pino'
import { LineOutput } from './line-output.ts'

/** From memory, from the database, only that nothing has changed, or no matter of memory at all. */
export type CacheOutcome = 'hit' | 'miss' | 'not_modified' | 'none'

export interface Outcome {
  readonly cache: CacheOutcome
  /** Records in the answer. */
  readonly rows: number
  /** Records that the request made. */
  readonly created?: number
  /** The code of the error that was answered. */
  readonly error?: ErrorCode
}

export interface Answered extends Outcome {
  readonly id: string
  readonly method: string
  /** The pattern of the address, never the address itself: that may hold what somebody searched for. */
  readonly route: string
  readonly status: number
  readonly ms: number
}

export interface Log {
  readonly logger: FastifyBaseLogger
  answered(answer: Answered, request: IncomingMessage): void
}

export const openLog = (level: LevelWithSilent): Log => {
  if (level === 'silent') return { logger: pino({ level }), answered: () => {} }
  const output = new LineOutput(process.stdout.fd)
  const logger = pino({ level }, output)
  if (!logger.isLevelEnabled('info')) return { logger, answered: () => {} }
  const beforeId = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"id":"`
  return {
    logger,
    // As pino would write it, at a fraction of the cost: no value is of a kind that needs an escape.
    answered({ id, method, route, status, ms, rows, cache }) {
      const rounded = Math.round(ms * 1_000) / 1_000
      output.write(
        `{"level":30,"time":${Date.now()}${beforeId}${id}","method":"${method}","route":"${route}","status":${status},"ms":${rounded},"rows":${rows},"cache":"${cache}","msg":"answered"}\n`,
      )
    },
  }
}
