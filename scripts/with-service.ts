/** In charge of running a command against the service itself: two real processes over a database of their own that holds the demo company. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSeededDatabase, openRun } from '../service/test/support/database.ts'

const musterFile = fileURLToPath(new URL('../service/bin/muster.ts', import.meta.url))

interface Serving {
  readonly base: string
  stop(): Promise<void>
}

/** Starts a service on a free port and waits until it says that its database answers. */
const serve = async (env: Record<string, string>): Promise<Serving> => {
  const child = spawn(process.execPath, [musterFile, 'serve'], {
    env: { ...process.env, MUSTER_LOG_LEVEL: 'info', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const base = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-8_000)
      const address = /listening at (http:\/\/[\d.:]+)/.exec(said)?.[1]
      if (address !== undefined && said.includes('its schema is this release')) resolve(`${address}/api`)
    })
    child.once('exit', () => reject(new Error(`the service ended: ${said}`)))
  })
  return {
    base,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Say which command to run: node scripts/with-service.ts <command> [arguments]')
  process.exit(2)
}
const closeRun = await openRun(process.env.DATABASE_URL?.trim() || 'postgres://postgres@127.0.0.1:5432/postgres')
try {
  const { env } = await createSeededDatabase()
  const token = randomBytes(24).toString('hex')
  const writing = await serve({ ...env, MUSTER_API_TOKEN: token })
  const reading = await serve({ ...env, MUSTER_API_TOKEN: '' })
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, BASE_URL: writing.base, BASE_URL_WITHOUT_TOKEN: reading.base, MUSTER_API_TOKEN: token },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
  await writing.stop()
  await reading.stop()
} finally {
  await closeRun()
}
