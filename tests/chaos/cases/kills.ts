/**
 * The database server or the service is killed repeatedly under load: each acknowledged record is stored exactly once.
 */
import type { ChaosCase } from '../chaos-case.ts'
import { mutations } from '../mutations.ts'
import type { FaultTarget } from '../under-load.ts'
import { injectUnderLoad } from '../under-load.ts'

const killDatabase = async ({ cluster }: FaultTarget): Promise<void> => {
  await cluster.kill()
  await cluster.start()
}

const killService = async (target: FaultTarget): Promise<void> => {
  target.service.signal('SIGKILL')
  await target.service.ended
  target.service = await target.startService()
}

/**
 * With these server settings PostgreSQL acknowledges commits before they are on disk. The service must override these
 * settings.
 */
const asynchronousCommitSettings = ['synchronous_commit=off', 'wal_writer_delay=10s']

export const databaseKilled: ChaosCase = {
  name: 'database-killed',
  run: (environment) =>
    injectUnderLoad(environment, {
      rounds: environment.size(20, 3),
      withKeys: true,
      allowedStatuses: ['503'],
      settings: asynchronousCommitSettings,
      inject: killDatabase,
    }),
  control: {
    description: 'asynchronous commits',
    brokenGuarantee: 'no lost records',
    run: (environment) =>
      injectUnderLoad(environment, {
        rounds: 2,
        withKeys: true,
        allowedStatuses: ['503'],
        settings: asynchronousCommitSettings,
        mutation: mutations.asynchronousCommits,
        inject: killDatabase,
      }),
  },
}

export const serviceKilled: ChaosCase = {
  name: 'service-killed',
  run: (environment) =>
    injectUnderLoad(environment, {
      rounds: environment.size(20, 3),
      withKeys: true,
      allowedStatuses: ['503', 'none'],
      inject: killService,
    }),
  control: {
    description: 'retries without keys',
    brokenGuarantee: 'no duplicates',
    run: (environment) =>
      injectUnderLoad(environment, {
        rounds: 3,
        withKeys: false,
        allowedStatuses: ['503', '422', 'none'],
        inject: killService,
      }),
  },
}
