/**
 * While the disk is full, create requests get 503 and reads still work. Once there is space, create requests succeed
 * again without a restart.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Mutation } from '../../mutations/mutation.ts'
import type { Cluster } from '../../support/postgres-cluster.ts'
import { copyFolder } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { failedChecks } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import { markerOf, readStoredRecords } from '../creates.ts'
import type { Environment } from '../environment.ts'
import type { History } from '../history.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import { mutations } from '../mutations.ts'

const runProgram = promisify(execFile)
const megabyte = 1_048_576

/**
 * Moves the tables to a small tmpfs. The write-ahead log stays on the normal disk: PostgreSQL stops if it cannot write
 * this log.
 */
const moveToSmallDisk = async (
  environment: Environment,
  cluster: Cluster,
): Promise<{ enlarge(): Promise<unknown> }> => {
  await cluster.stop()
  const tableFolder = join(cluster.folder, 'cluster', 'base')
  const originalFolder = join(cluster.folder, 'base-before')
  const { uid, gid } = await stat(tableFolder)
  await rename(tableFolder, originalFolder)
  await runProgram('mkdir', ['--mode=700', tableFolder])
  const { stdout } = await runProgram('du', ['-sm', originalFolder])
  const sizeOption = (spareMb: number) => `size=${(Number.parseInt(stdout, 10) + spareMb) * megabyte}`
  await runProgram('mount', [
    '-t',
    'tmpfs',
    '-o',
    `${sizeOption(12)},mode=700,uid=${uid},gid=${gid}`,
    'tmpfs',
    tableFolder,
  ])
  environment.addCleanup(async () => {
    await cluster.kill()
    await runProgram('umount', [tableFolder])
  })
  await copyFolder(originalFolder, tableFolder)
  await cluster.start()
  return { enlarge: () => runProgram('mount', ['-o', `remount,${sizeOption(64)}`, tableFolder]) }
}

let createCount = 0

/** Sends one create request with a body of 12 kB, without retries, and returns the status. */
const sendLargeCreate = async (client: Client, history: History): Promise<number | undefined> => {
  createCount += 1
  const marker = markerOf(`${createCount}-${randomBytes(9_000).toString('base64')}`)
  const startedAt = performance.now()
  const response = await client
    .send('/api/v1/leave', { method: 'POST', body: { leave_type: 'annual', reason: marker } })
    .catch(() => undefined)
  const idIfCreated = response?.status === 201 ? { id: (JSON.parse(response.text) as { id: number }).id } : {}
  history.addAttempt({
    route: 'leave',
    marker,
    startMs: startedAt,
    endMs: performance.now(),
    status: response?.status,
    ...idIfCreated,
  })
  return response?.status
}

const fillDisk = async (environment: Environment, mutation?: Mutation): Promise<Outcome> => {
  const cluster = await environment.cluster()
  const { enlarge } = await moveToSmallDisk(environment, cluster)
  const { origin } = await environment.service({ databaseUrl: cluster.url, mutation })
  const client = openClient(origin)
  const history = openHistory()
  let rejectedCreates = 0
  const sendUntilRejected = async (): Promise<void> => {
    while (rejectedCreates < 100) if ((await sendLargeCreate(client, history)) !== 201) rejectedCreates += 1
  }
  await Promise.all([sendUntilRejected(), sendUntilRejected(), sendUntilRejected(), sendUntilRejected()])
  const readResponses = await Promise.all(
    Array.from({ length: 50 }, (_, pageIndex) => client.send(`/api/v1/leave?limit=5&offset=${pageIndex}`)),
  )
  const failedReads = readResponses.filter(({ status }) => status !== 200).length
  await enlarge()
  const recoveryMs = await waitUntil(
    'a create is acknowledged again',
    async () => (await sendLargeCreate(client, history)) === 201,
  )
  client.close()
  const storedCount = (await readStoredRecords(cluster.url)).length
  const outcome = await checkHistory(history, cluster.url, {
    faultCount: rejectedCreates,
    allowedStatuses: ['503'],
    violations: failedChecks([
      failedReads === 0,
      'expected responses',
      `${failedReads} of ${readResponses.length} reads failed`,
    ]),
    notes: [
      `${readResponses.length} reads while the disk was full; first create acknowledged ${Math.round(recoveryMs)} ms after space was added`,
    ],
  })
  const { acknowledgedCount } = outcome
  return {
    ...outcome,
    violations: [
      ...outcome.violations,
      // PostgreSQL rolls back a create that finds no space, so here a 503 means "not stored".
      ...failedChecks([
        storedCount === acknowledgedCount,
        'no duplicates',
        `${acknowledgedCount} acknowledged and ${storedCount} stored`,
      ]),
    ],
  }
}

export const diskFull: ChaosCase = {
  name: 'disk-full',
  onlyLong: true,
  run: (environment) => fillDisk(environment),
  control: {
    description: 'lack of space treated as a wrong value',
    brokenGuarantee: 'expected responses',
    run: (environment) => fillDisk(environment, mutations.diskFullAsInvalidValue),
  },
}
