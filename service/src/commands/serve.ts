/** In charge of the command that serves: settings in, signals in, one listening port. */
import cluster from 'node:cluster'
import type { Config, Environment } from '../config.ts'
import { emptyTokenFiles, readConfig, readTokens, settingWarnings } from '../config.ts'
import { OperatorError } from '../errors.ts'
import type { Log } from '../log.ts'
import { openLog } from '../log.ts'
import { keepSmall } from '../memory.ts'
import type { ExitCode } from './command.ts'
import { command, exitCodes } from './command.ts'
import { freePortAt } from './listen-fault.ts'
import { countMetrics } from './metrics.ts'
import { servingFlags } from './rights.ts'
import { askedToEnd } from './signals.ts'
import { noWorkerListens, reportListening, runWorkers } from './workers.ts'

export const serve = command({
  name: 'serve',
  summary: 'Serve the interface over HTTP.',
  details: [
    'Listens on HOST and PORT. Without a database that answers, or with one that lacks migrations, it stays up, says why, and is ready as soon as that is mended.',
    'SIGTERM and Ctrl-C end it after the requests in hand, a second one at once; SIGHUP reads the token files again.',
    'With several workers, this process only starts them, replaces those that die, and passes signals on; they run under Node’s permission model.',
  ],
  arguments: [],
  options: {
    workers: { type: 'string', value: 'N', about: 'Processes that share the port, instead of MUSTER_WORKERS' },
  },
  examples: [
    ['serve', 'Serve at http://127.0.0.1:8080/api'],
    ['serve --workers 4', 'The same from four processes'],
  ],
  async run({ values, env: given }) {
    const env = values.workers === undefined ? given : { ...given, MUSTER_WORKERS: values.workers }
    const config = readConfig(env)
    const tokens = readTokens(env)
    const log = openLog(config.logLevel)
    const { logger } = log
    if (cluster.isPrimary) for (const warning of settingWarnings(env, tokens)) logger.warn(warning)
    if (cluster.isPrimary && config.workers > 1) {
      const metrics = await countMetrics(config, log)
      // Each worker opens the port itself (SO_REUSEPORT), so another service could share it: a port that is taken is refused here.
      const port = await freePortAt(config)
      const code = await runWorkers({
        count: config.workers,
        port,
        flags: servingFlags(env),
        onShutdown: reportShutdown(logger),
        onDeath: (sentence) => {
          logger.error(sentence)
          metrics?.counted.noteDeath()
        },
      }).finally(() => metrics?.end())
      logger.info('Graceful shutdown finished.')
      return code
    }
    try {
      return await serveHere(env, config, log)
    } finally {
      // Else the channel to the primary would keep a worker alive.
      cluster.worker?.disconnect()
    }
  },
})

const reportShutdown =
  (logger: Log['logger']) =>
  (signal: NodeJS.Signals): void =>
    logger.info(`Graceful shutdown started by ${signal}.`)

const serveHere = async (env: Environment, config: Config, log: Log): Promise<ExitCode> => {
  // Heard from here on: whoever sees the port open may already want it closed.
  const asked = askedToEnd(() => process.exit(exitCodes.interrupted))
  // Loaded here, so that the other commands need not carry the HTTP framework.
  const { startServing } = await import('./serving.ts')
  const metrics = await countMetrics(config, log)
  const serving = await Promise.race([startServing(config, readTokens(env), log, metrics?.counted), asked])
  // Nobody has been served yet.
  if (typeof serving === 'string') process.exit(exitCodes.done)
  keepSmall()
  reportListening()
  process.on('SIGHUP', () => {
    try {
      serving.replaceTokens(readTokens(env))
      log.logger.info('The tokens were read again.')
      for (const warning of emptyTokenFiles(env)) log.logger.warn(warning)
    } catch (error) {
      log.logger.error(error instanceof OperatorError ? error.message : error)
    }
  })
  const signal = await asked
  if (cluster.isPrimary) reportShutdown(log.logger)(signal)
  await serving.close(cluster.isWorker ? noWorkerListens : undefined)
  metrics?.end()
  if (cluster.isPrimary) log.logger.info('Graceful shutdown finished.')
  return exitCodes.done
}
