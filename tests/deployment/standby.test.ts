/** deploy/postgres/standby.sh, which makes and starts the standby of compose.yaml. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openCleanup } from '../support/cluster/cleanup.ts'
import { createDeploymentDatabase, runMuster } from '../support/cluster/database.ts'
import type { PostgresInstallation, PostgresServer } from '../support/cluster/postgres.ts'
import { openInstallation, standbyCommand, startPrimary, startStandby } from '../support/cluster/postgres.ts'
import { waitUntil } from '../support/wait.ts'

describe('standby.sh', () => {
  const cleanup = openCleanup()
  let installation: PostgresInstallation
  let primary: PostgresServer
  let primaryUrl: string

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-pg-'))
    cleanup.add(() => rm(folder, { recursive: true, force: true }))
    installation = await openInstallation(folder)
    primary = await startPrimary(installation)
    cleanup.add(() => primary.stop())
    const secretsFolder = await mkdtemp(join(tmpdir(), 'muster-secrets-'))
    cleanup.add(() => rm(secretsFolder, { recursive: true, force: true }))
    const database = await createDeploymentDatabase(primary, join(secretsFolder, 'secrets'))
    await runMuster(database, ['seed', '--size', 'small'])
    primaryUrl = await database.readSecret('standby_url')
  })
  after(() => cleanup.clear())

  it('makes a copy again that was interrupted, and then starts it', async () => {
    const { folder, command, args, env } = await standbyCommand(installation, primaryUrl)
    const child = spawn(command, args, { ...installation.account, env, stdio: 'ignore', detached: true })
    const exited = once(child, 'exit')
    await waitUntil('the copy has begun', async () =>
      [folder, `${folder}.copy`].some((copy) => existsSync(join(copy, 'base'))),
    )
    process.kill(-(child.pid as number), 'SIGKILL')
    await exited
    assert.ok(!existsSync(join(folder, 'global', 'pg_control')), 'the copy was complete already')

    const standby = await startStandby(installation, primaryUrl)
    cleanup.add(() => standby.stop())
    await primary.execute('muster', "insert into departments (name) values ('After the copy')")
    const count = "select count(*) from departments where name = 'After the copy' and pg_is_in_recovery()"
    await waitUntil('the standby has the row', async () => (await standby.execute('muster', count)) === '1')
  })
})
