/** Starts PgBouncer in transaction mode in front of a database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { killAtExit } from './kill-at-exit.ts'

export interface Pgbouncer {
  /** URL through which PgBouncer forwards to the database. */
  readonly url: string
  readonly log: string
  stop(): Promise<void>
}

export const startPgbouncer = async (databaseUrl: string, sessionCount: number): Promise<Pgbouncer> => {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl)
  const databaseName = pathname.slice(1)
  const passwordOption = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-pgbouncer-'))
  const configFile = join(folder, 'pgbouncer.ini')
  await writeFile(
    configFile,
    `[databases]
${databaseName} = host=${hostname} port=${serverPort || '5432'} dbname=${databaseName} user=${decodeURIComponent(username)}${passwordOption}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessionCount}
max_client_conn = 200
`,
  )
  // PgBouncer refuses to run as root. The account that it switches to must be able to read the configuration file.
  await chmod(folder, 0o755)
  const accountArguments = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...accountArguments, configFile], { stdio: ['ignore', 'ignore', 'pipe'] })
  killAtExit(child)
  let output = ''
  const readiness = Promise.withResolvers<void>()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (output.includes('process up')) readiness.resolve()
  })
  const exitPromise = once(child, 'close')
  void exitPromise.then(() => readiness.reject(new Error(`PgBouncer exited: ${output}`)))
  await readiness.promise
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${databaseName}`,
    get log() {
      return output
    },
    async stop() {
      child.kill('SIGTERM')
      await exitPromise
      await rm(folder, { recursive: true })
    },
  }
}
