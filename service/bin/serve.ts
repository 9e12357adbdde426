/** In charge of the process that serves: settings in, signals in, one listening port. */
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { readConfig, readTokens, settingWarnings } from '../src/config.ts'
import { openDatabase } from '../src/database/database.ts'
import { readMigrationFiles } from '../src/database/migrate.ts'
import { watchDatabase } from '../src/database/watch.ts'
import { OperatorError } from '../src/errors.ts'
import { writeAccess } from '../src/http/write-access.ts'

const serve = async (): Promise<void> => {
  const config = readConfig(process.env)
  const tokens = readTokens(process.env)
  const logger = pino({ level: config.logLevel })
  for (const warning of settingWarnings(process.env, tokens)) logger.warn(warning)

  const database = openDatabase({ url: config.databaseUrl, poolSize: config.poolSize })
  const access = writeAccess(tokens)
  const app = buildApp({ database, access }, logger)
  const stop = new AbortController()
  const watching = watchDatabase({
    database,
    url: config.databaseUrl,
    files: await readMigrationFiles(),
    onChange: ({ ready, sentence }) => (ready ? logger.info(sentence) : logger.error(sentence)),
    signal: stop.signal,
  })

  await app.listen({ host: config.host, port: config.port }).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new OperatorError(`Port ${config.port} on ${config.host} is taken: stop what listens there, or set PORT.`)
  })

  process.on('SIGHUP', () => {
    try {
      access.replace(readTokens(process.env))
      logger.info('The tokens were read again.')
    } catch (error) {
      logger.error(error instanceof OperatorError ? error.message : error)
    }
  })
  const shutDown = async (): Promise<void> => {
    stop.abort()
    database.setReady(false)
    await app.close()
    await watching
    await database.close()
  }
  process.once('SIGTERM', () => void shutDown())
  process.once('SIGINT', () => void shutDown())
}

try {
  await serve()
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
}
