/** Starts the measured servers: Muster as in production, the bare HTTP server and the naive service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { root, startServer } from '../../tests/support/server-process.ts'
import { runProgram } from './tools.ts'

export const writeToken = 'bench-0123456789abcdef0123456789abcdef'
export const logFile = join(tmpdir(), 'muster-bench.log')

const musterArgs = (name: string): string[] => [join('packages', 'server', 'bin', 'muster.js'), name]

export const migrate = async (databaseUrl: string, checkout = root): Promise<void> => {
  await runProgram('env', ['-C', checkout, `DATABASE_URL=${databaseUrl}`, process.execPath, ...musterArgs('migrate')])
}

export const startService = (
  databaseUrl: string,
  cacheMb?: number,
  env: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<ServerProcess> =>
  startServer({
    checkout,
    args: musterArgs('serve'),
    env: {
      DATABASE_URL: databaseUrl,
      MUSTER_API_TOKEN: writeToken,
      ...(cacheMb === undefined ? {} : { MUSTER_CACHE_MB: String(cacheMb) }),
      ...env,
    },
    logFile,
    readyPath: '/readyz',
  })

/** Calls `use` with a bare HTTP server that responds to every request with `body`. */
export const withBareServer = async <T>(body: Buffer, use: (server: ServerProcess) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const file = join(folder, 'body.json')
  try {
    await writeFile(file, body)
    return await withServer(
      startServer({ args: [join('tools', 'bench', 'bare-server.ts'), file], readyPath: '/' }),
      use,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const startNaiveServer = (databaseUrl: string): Promise<ServerProcess> =>
  startServer({
    args: [join('tools', 'bench', 'naive-server.ts')],
    env: { DATABASE_URL: databaseUrl },
    readyPath: '/v1/candidates/1',
  })

/** Waits for a server to start, calls `use` with it, and stops the server afterwards even if `use` throws. */
export const withServer = async <T>(
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
