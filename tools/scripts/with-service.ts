/** Runs a command against two services, with and without a write token, on a new database with the demo company. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSeededDatabase, openRun } from '../../tests/support/database.ts'
import { forwardSignals, runProgram } from './run-program.ts'

const musterFile = fileURLToPath(new URL('../../packages/server/bin/muster.ts', import.meta.url))

interface RunningService {
  readonly baseUrl: string
  stop(): Promise<void>
}

/** Starts a service on a free port and waits until it logs that its database is available. */
const startService = async (env: Record<string, string>): Promise<RunningService> => {
  const child = spawn(process.execPath, [musterFile, 'serve'], {
    env: { ...process.env, MUSTER_LOG_LEVEL: 'info', MUSTER_CAREER_SITES: 'on', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-8_000)
      const origin = /listening at (http:\/\/[\d.:]+)/.exec(output)?.[1]
      if (origin !== undefined && output.includes('its schema is up to date')) resolve(`${origin}/api`)
    })
    child.once('exit', () => reject(new Error(`The service exited: ${output}`)))
  })
  return {
    baseUrl,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: node tools/scripts/with-service.ts <command> [arguments]')
  process.exit(2)
}
forwardSignals()
const closeRun = await openRun(process.env.DATABASE_URL?.trim() || 'postgres://postgres@127.0.0.1:5432/postgres')
const services: RunningService[] = []
try {
  const database = await createSeededDatabase()
  // The demo company has no past.
  await database.execute(`update employees set designation = designation || ' II' where id % 10 = 0`)
  const token = randomBytes(24).toString('hex')
  const serviceWithToken = await startService({ ...database.env, MUSTER_API_TOKEN: token })
  services.push(serviceWithToken)
  const serviceWithoutToken = await startService({ ...database.env, MUSTER_API_TOKEN: '' })
  services.push(serviceWithoutToken)
  const env = {
    ...process.env,
    BASE_URL: serviceWithToken.baseUrl,
    BASE_URL_WITHOUT_TOKEN: serviceWithoutToken.baseUrl,
    MUSTER_API_TOKEN: token,
  }
  process.exitCode = await runProgram([command, ...args], { env })
} finally {
  await Promise.all(services.map((service) => service.stop()))
  await closeRun()
}
