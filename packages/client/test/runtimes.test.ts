/**
 * Runs the client, bundled to one JavaScript module, in this Node and in the runtimes that CLIENT_RUNTIMES lists,
 * separated by semicolons: CLIENT_RUNTIMES='/opt/node-24/bin/node;deno run -A;bun'
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService, token } from '../../../tests/support/service.ts'
import type { results } from './support/use-client.ts'

const runtimes = [process.execPath, ...(process.env.CLIENT_RUNTIMES ?? '').split(';').filter(Boolean)]

describe('the bundled client', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-client-'))
    await build({
      entryPoints: [fileURLToPath(new URL('./support/use-client.ts', import.meta.url))],
      outfile: join(folder, 'use-client.mjs'),
      ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', platform: 'neutral' },
    })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  for (const runtime of runtimes) {
    it(`works in ${runtime}`, async () => {
      const [program = '', ...args] = runtime.split(' ')
      const script = [join(folder, 'use-client.mjs'), service.baseUrl, token]
      const { stdout } = await promisify(execFile)(program, [...args, ...script], { env: { PATH: process.env.PATH } })
      const result = JSON.parse(stdout) as typeof results
      assert.ok(result.total > 100)
      assert.deepEqual(result, {
        keys: ['id', 'department'],
        total: result.total,
        repeatedIsSame: true,
        counted: result.total,
        days: 31,
        isStored: true,
        problem: 'string_too_short',
        aborted: 'stopped',
        streamed: result.total,
      })
    })
  }
})
