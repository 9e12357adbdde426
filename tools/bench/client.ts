/** Reads all attendance records with the typed client, and prints the time and the memory that this takes. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Iteration } from '../../packages/client/test/support/iterate.ts'
import { root } from '../../tests/support/server-process.ts'
import { runBench } from './command.ts'
import { startService, withServer } from './service-process.ts'

const script = join(root, 'packages', 'client', 'test', 'support', 'iterate.ts')

await runBench('a migrated database with many attendance records', (url) =>
  withServer(startService(url), async (service) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, `${service.origin}/api`])
    const { records, seconds, heapMb, rssMb } = JSON.parse(stdout) as Iteration
    console.log(`${records} records in ${seconds.toFixed(1)} s, ${Math.round(records / seconds)} per second`)
    console.log(`memory of the client at the start and after each tenth: ${rssMb.join(' ')} MB`)
    console.log(`its heap after each tenth: ${heapMb.join(' ')} MB`)
    console.log(`memory of the service at the end: ${Math.round(await service.memory())} MB`)
  }),
)
