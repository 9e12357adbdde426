/** In charge of the service a browser test looks at: the real command on a free port, over a database with the demo company. */

import { createSeededDatabase } from '../../service/test/support/database.ts'
import type { Command } from '../../service/test/support/process.ts'
import { runCommand } from '../../service/test/support/process.ts'
import { token } from '../../service/test/support/service.ts'

export interface Served {
  readonly origin: string
  readonly token: string
  stop(): Promise<void>
}

export const serve = async (settings: Readonly<Record<string, string>> = {}): Promise<Served> => {
  const database = await createSeededDatabase()
  const command = runCommand('muster.ts', ['serve'], {
    ...database.env,
    PORT: '0',
    MUSTER_API_TOKEN: token,
    ...settings,
  })
  const origin = await readyAt(command)
  return {
    origin,
    token,
    async stop() {
      command.signal('SIGTERM')
      await command.ended
      await database.drop()
    },
  }
}

const readyAt = async (command: Command): Promise<string> => {
  const [, origin = ''] = await command.says(/Server listening at (http:\/\/[\d.:]+)/)
  await command.says(/The database answers/)
  return origin
}
