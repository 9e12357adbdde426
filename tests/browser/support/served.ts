/** Runs `muster serve` on a free port with a database that contains the demo data. */

import { createSeededDatabase } from '../../support/database.ts'
import type { Command } from '../../support/process.ts'
import { runCommand } from '../../support/process.ts'
import { token } from '../../support/service.ts'

export interface RunningService {
  readonly origin: string
  readonly token: string
  stop(): Promise<void>
}

export const serve = async (settings: Readonly<Record<string, string>> = {}): Promise<RunningService> => {
  const database = await createSeededDatabase()
  const command = runCommand('muster.ts', ['serve'], {
    ...database.env,
    PORT: '0',
    MUSTER_API_TOKEN: token,
    ...settings,
  })
  const origin = await readyOrigin(command)
  return {
    origin,
    token,
    async stop() {
      command.signal('SIGTERM')
      await command.exitPromise
      await database.drop()
    },
  }
}

const readyOrigin = async (command: Command): Promise<string> => {
  const [, origin = ''] = await command.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
  await command.waitForOutput(/The database is available/)
  return origin
}
