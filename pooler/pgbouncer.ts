/** In charge of a PgBouncer in transaction mode before a database of a test: few sessions, lent for one transaction at a time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'

export interface Pooler {
  /** Address of the same database, through the pooler. */
  readonly url: string
  /** Everything it has written to its log. */
  readonly said: string
  stop(): Promise<void>
}

export const startPgbouncer = async (databaseUrl: string, sessions: number): Promise<Pooler> => {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'muster-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${serverPort || '5432'} dbname=${name} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
`,
  )
  // It does not run as root, and the account it changes to has to read this.
  await chmod(folder, 0o755)
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...account, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  const up = Promise.withResolvers<void>()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    if (said.includes('process up')) up.resolve()
  })
  const ended = once(child, 'close')
  void ended.then(() => up.reject(new Error(`PgBouncer ended: ${said}`)))
  await up.promise
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${name}`,
    get said() {
      return said
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
