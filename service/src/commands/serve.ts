/** In charge of the command that serves: settings in, signals in, one listening port. */
import { readConfig, readTokens, settingWarnings } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openLog } from '../log.ts'
import { keepSmall } from '../memory.ts'
import { command, exitCodes } from './command.ts'

export const serve = command({
  name: 'serve',
  summary: 'Serve the interface over HTTP.',
  details: [
    'Listens on HOST and PORT. Without a database that answers, or with one that lacks migrations, it stays up, says why, and is ready as soon as that is mended.',
    'SIGTERM and Ctrl-C end it after the requests in hand; SIGHUP reads the token files again.',
  ],
  arguments: [],
  options: {},
  examples: [['serve', 'Serve at http://127.0.0.1:8080/api']],
  async run({ env }) {
    const config = readConfig(env)
    const tokens = readTokens(env)
    const log = openLog(config.logLevel)
    const { logger } = log
    for (const warning of settingWarnings(env, tokens)) logger.warn(warning)
    // Heard from here on: whoever sees the port open may already want it closed.
    const asked = new Promise<void>((resolve) => {
      process.once('SIGTERM', () => resolve())
      process.once('SIGINT', () => resolve())
    })
    // Loaded here, so that the other commands need not carry the HTTP framework.
    const { startServing } = await import('./serving.ts')
    const serving = await startServing(config, tokens, log)
    keepSmall()
    process.on('SIGHUP', () => {
      try {
        serving.replaceTokens(readTokens(env))
        logger.info('The tokens were read again.')
      } catch (error) {
        logger.error(error instanceof OperatorError ? error.message : error)
      }
    })
    await asked
    await serving.close()
    return exitCodes.done
  },
})
