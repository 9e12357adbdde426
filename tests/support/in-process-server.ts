/** Runs what `muster serve` runs, inside the test process, and collects its log. A process costs a second more. */
import { startMetrics } from '../../packages/server/src/commands/metrics.ts'
import type { RunningServer, ServerLimits } from '../../packages/server/src/commands/server-process.ts'
import { startServer } from '../../packages/server/src/commands/server-process.ts'
import { reloadTokens } from '../../packages/server/src/commands/token-reload.ts'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { withUrlFiles } from '../../packages/server/src/config/secret-files.ts'
import { readTokens } from '../../packages/server/src/config/tokens.ts'
import { settingWarnings } from '../../packages/server/src/config/warnings.ts'
import { openLog } from '../../packages/server/src/observability/log.ts'
import { waitUntil } from './wait.ts'

export interface InProcessServer {
  readonly origin: string
  /** The log so far. */
  readonly output: string
  /** Resolves when the log matches the pattern. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  readonly ready: RunningServer['ready']
  /** Reads the tokens from their files again, as SIGHUP does. */
  reloadTokens(): void
  /** Shuts down gracefully. */
  stop(): Promise<void>
}

/** Load balancers and idle connections get no extra time, so that `stop` is fast. */
const fastShutdown: ServerLimits = { connection: { idleGraceMs: 0 }, shutdown: { noticeMs: 0 } }

export const startInProcess = async (
  env: Record<string, string>,
  limits: ServerLimits = fastShutdown,
): Promise<InProcessServer> => {
  const settings = withUrlFiles({ PORT: '0', ...env })
  const config = readConfig(settings)
  const tokens = readTokens(settings)
  let output = ''
  const log = openLog(config.logLevel, {
    write: (line) => {
      output += line
    },
  })
  for (const warning of settingWarnings(settings, tokens)) log.logger.warn(warning)
  const metrics = await startMetrics(config, log)
  const server = await startServer(config, tokens, log, metrics?.metrics, limits).catch((error: unknown) => {
    metrics?.close()
    throw error
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    get output() {
      return output
    },
    async waitForOutput(pattern) {
      await waitUntil(`the log matches ${pattern}`, async () => pattern.test(output))
      return pattern.exec(output) as RegExpExecArray
    },
    ready: server.ready,
    reloadTokens: () => reloadTokens(settings, server, log),
    async stop() {
      metrics?.close()
      await server.close()
    },
  }
}
