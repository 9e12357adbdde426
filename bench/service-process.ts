/** In charge of the servers under measurement: Muster as in production, a bare server, and one that counts naively. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerProcess } from './child-server.ts'
import { root, startServer } from './child-server.ts'
import { run } from './tools.ts'

export const writeToken = 'bench-0123456789abcdef0123456789abcdef'
export const logFile = join(tmpdir(), 'muster-bench.log')

const command = (name: string): string[] => [join('service', 'bin', 'muster.js'), name]

export const migrate = async (databaseUrl: string, checkout = root): Promise<void> => {
  await run('env', ['-C', checkout, `DATABASE_URL=${databaseUrl}`, process.execPath, ...command('migrate')])
}

export const startService = (
  databaseUrl: string,
  cacheMb?: number,
  env: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<ServerProcess> =>
  startServer({
    checkout,
    args: command('serve'),
    env: {
      DATABASE_URL: databaseUrl,
      MUSTER_API_TOKEN: writeToken,
      ...(cacheMb === undefined ? {} : { MUSTER_CACHE_MB: String(cacheMb) }),
      ...env,
    },
    logFile,
    readyPath: '/readyz',
  })

/** Sends the content of one file, whatever is asked. */
export const startBare = (file: string): Promise<ServerProcess> =>
  startServer({ args: [join('bench', 'bare-server.ts'), file], readyPath: '/' })

export const startNaive = (databaseUrl: string): Promise<ServerProcess> =>
  startServer({
    args: [join('bench', 'naive-server.ts')],
    env: { DATABASE_URL: databaseUrl },
    readyPath: '/v1/candidates/1',
  })

/** Starts a server, uses it, and stops it whatever happened. */
export const using = async <T>(
  starting: Promise<ServerProcess>,
  use: (server: ServerProcess) => Promise<T>,
): Promise<T> => {
  const server = await starting
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
