import { startMetrics } from './commands/metrics.ts'
import { startServer } from './commands/server-process.ts'
import { accessFileText, reloadTokens, watchAccessFile } from './commands/token-reload.ts'
import { readConfig } from './config/config.ts'
import type { Environment } from './config/read-setting.ts'
import { withUrlFiles } from './config/secret-files.ts'
import { readTokens } from './config/tokens.ts'
import { settingWarnings } from './config/warnings.ts'
import { openLog } from './observability/log.ts'

/** A service that runs inside this process. */
export interface Muster {
  /** The port on which it listens. If the setting PORT is 0, the operating system chooses one. */
  readonly port: number
  /** Resolves when the database is ready for the first time. */
  readonly ready: Promise<void>
  /** Shuts down gracefully, as `muster serve` does on SIGTERM. */
  close(): Promise<void>
}

/**
 * Starts the service inside this process. The settings have the names and values of the environment variables of
 * `muster serve`; the environment itself is not read. MUSTER_WORKERS has no effect.
 */
export const startMuster = async (settings: Environment): Promise<Muster> => {
  const env = withUrlFiles({ ...settings, MUSTER_WORKERS: '1' })
  const config = readConfig(env)
  const text = await accessFileText(env)
  const tokens = readTokens(env)
  const log = openLog(config.logLevel)
  for (const warning of settingWarnings(env, tokens)) log.logger.warn(warning)
  const metrics = await startMetrics(config, log)
  try {
    const server = await startServer(config, tokens, log, metrics?.metrics)
    const { port, ready, close } = server
    const stopWatching = new AbortController()
    const onChange = () => reloadTokens(env, server, log)
    void watchAccessFile(env, { text, signal: stopWatching.signal, onChange })
    return {
      port,
      ready,
      async close() {
        stopWatching.abort()
        await close()
        metrics?.close()
      },
    }
  } catch (error) {
    metrics?.close()
    throw error
  }
}
