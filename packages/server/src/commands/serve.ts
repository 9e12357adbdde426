import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../config/read-setting.ts'
import { readTokens } from '../config/tokens.ts'
import { settingWarnings } from '../config/warnings.ts'
import { limitYoungGeneration } from '../heap-limits.ts'
import type { Log } from '../observability/log.ts'
import { openLog } from '../observability/log.ts'
import type { ExitCode } from './command.ts'
import { command, exitCodes } from './command.ts'
import { requireFreePort } from './listen-error.ts'
import { startMetrics } from './metrics.ts'
import { permissionFlags } from './permission-flags.ts'
import { shutdownSignal } from './signals.ts'
import { accessFileText, reloadTokens, watchAccessFile } from './token-reload.ts'
import { allWorkersStoppedListening, reportListening, runWorkers } from './workers.ts'

export const serve = command({
  name: 'serve',
  summary: 'Serve the API over HTTP.',
  details: [
    'Listens on HOST and PORT. If the database is not reachable or lacks migrations, the service logs why, stays up, and becomes ready as soon as that is fixed.',
    'SIGTERM and Ctrl-C finish running requests and exit; a second signal exits at once. SIGHUP reloads the token files and the access file; the access file is also reloaded when it changes.',
    'With several workers, this process only starts them, replaces those that exit, and forwards signals. Workers run under Node’s permission model.',
  ],
  arguments: [],
  options: {
    workers: { type: 'string', value: 'N', about: 'Number of processes that share the port; overrides MUSTER_WORKERS' },
  },
  examples: [
    ['serve', 'Serve at http://127.0.0.1:8080/api'],
    ['serve --workers 4', 'The same with four processes'],
  ],
  async run({ values, env: processEnv }) {
    const env = values.workers === undefined ? processEnv : { ...processEnv, MUSTER_WORKERS: values.workers }
    const config = readConfig(env)
    const tokens = readTokens(env)
    const log = openLog(config.logLevel)
    const { logger } = log
    if (cluster.isPrimary) for (const warning of settingWarnings(env, tokens)) logger.warn(warning)
    if (cluster.isPrimary && config.workers > 1) {
      const metrics = await startMetrics(config, log)
      // Each worker opens the port itself (SO_REUSEPORT) and would silently share it with a service already listening.
      const port = await requireFreePort(config)
      const code = await runWorkers({
        count: config.workers,
        port,
        flags: permissionFlags(env),
        onShutdown: reportShutdown(logger),
        onExit: (message) => {
          logger.error(message)
          metrics?.metrics.countWorkerDeath()
        },
      }).finally(() => metrics?.close())
      logger.info('Graceful shutdown finished.')
      return code
    }
    try {
      return await serveInThisProcess(env, config, log)
    } finally {
      // If it stayed open, the message channel to the primary process would keep the worker running.
      cluster.worker?.disconnect()
    }
  },
})

const reportShutdown =
  (logger: Log['logger']) =>
  (signal: NodeJS.Signals): void =>
    logger.info(`Graceful shutdown started by ${signal}.`)

const serveInThisProcess = async (env: Environment, config: Config, log: Log): Promise<ExitCode> => {
  // The signal handlers are installed before the port opens, because a signal may arrive as soon as it is open.
  const shutdownRequested = shutdownSignal(() => process.exit(exitCodes.interrupted))
  // Loaded here, so that other commands do not load the HTTP framework.
  const { startServer } = await import('./server-process.ts')
  const metrics = await startMetrics(config, log)
  // Read before the tokens, so that no change is missed.
  const text = await accessFileText(env)
  const server = await Promise.race([startServer(config, readTokens(env), log, metrics?.metrics), shutdownRequested])
  // A signal arrived before the server was listening, so there is nothing to drain.
  if (typeof server === 'string') process.exit(exitCodes.success)
  limitYoungGeneration()
  reportListening()
  const reload = () => reloadTokens(env, server, log)
  process.on('SIGHUP', reload)
  const stopWatching = new AbortController()
  void watchAccessFile(env, { text, signal: stopWatching.signal, onChange: reload })
  const signal = await shutdownRequested
  if (cluster.isPrimary) reportShutdown(log.logger)(signal)
  stopWatching.abort()
  await server.close(cluster.isWorker ? allWorkersStoppedListening : undefined)
  metrics?.close()
  if (cluster.isPrimary) log.logger.info('Graceful shutdown finished.')
  return exitCodes.success
}
