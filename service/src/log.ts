/** In charge of the log: one JSON object per line on standard output, and a line for every answer that costs next to nothing. */
import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { LevelWithSilent } from 'pino'
import { pino } from 'pino'
import { LineOutput } from './line-output.ts'

export interface Answered {
  readonly id: string
  readonly method: string
  /** The pattern of the address, never the address itself: that may hold what somebody searched for. */
  readonly route: string
  readonly status: number
  readonly ms: number
}

export interface Log {
  readonly logger: FastifyBaseLogger
  answered(answer: Answered): void
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
    answered({ id, method, route, status, ms }) {
      const rounded = Math.round(ms * 1_000) / 1_000
      output.write(
        `{"level":30,"time":${Date.now()}${beforeId}${id}","method":"${method}","route":"${route}","status":${status},"ms":${rounded},"msg":"answered"}\n`,
      )
    },
  }
}
