/** Kills under load: the database server or the service dies again and again, and what was acknowledged is there, once. */
import type { Fault } from '../fault.ts'
import { plants } from '../plants.ts'
import type { Scene } from '../under-load.ts'
import { underLoad } from '../under-load.ts'

const killDatabase = async ({ cluster }: Scene): Promise<void> => {
  await cluster.kill()
  await cluster.start()
}

const killService = async (scene: Scene): Promise<void> => {
  scene.service.signal('SIGKILL')
  await scene.service.ended
  scene.service = await scene.startService()
}

/** A server that would acknowledge what it has not yet written, if it were left to itself. */
const hasty = ['synchronous_commit=off', 'wal_writer_delay=10s']

export const databaseKilled: Fault = {
  name: 'database-killed',
  run: (house) =>
    underLoad(house, {
      times: house.size(20, 3),
      keys: true,
      besides: ['503'],
      settings: hasty,
      strike: killDatabase,
    }),
  control: {
    about: 'commits not waited for',
    breaks: 'nothing lost',
    run: (house) =>
      underLoad(house, {
        times: 2,
        keys: true,
        besides: ['503'],
        settings: hasty,
        plant: plants.hastyCommits,
        strike: killDatabase,
      }),
  },
}

export const serviceKilled: Fault = {
  name: 'service-killed',
  run: (house) =>
    underLoad(house, { times: house.size(20, 3), keys: true, besides: ['503', 'none'], strike: killService }),
  control: {
    about: 'retries without keys',
    breaks: 'nothing twice',
    run: (house) => underLoad(house, { times: 3, keys: false, besides: ['503', '422', 'none'], strike: killService }),
  },
}
