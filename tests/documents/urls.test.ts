/** Requests the URLs of the API in all documents, also in those parts that need a program that cannot be run here. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../support/database.ts'
import { createSeededDatabase } from '../support/database.ts'
import { sendUntilServed } from '../support/http.ts'
import { repositoryFiles, root } from '../support/markdown.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service.ts'

/** The hosts that documents use for the service. `{{` begins an expression of another program. */
const urlPattern = /https?:\/\/(?:127\.0\.0\.1:8080|hr\.example\.com)\/api(\/v1\/\w[^\s"'`)<>|{]*)(?!\{)/g

/** A document shows the error of this request. */
const wrongPath = '/v1/employees?limit=500'

const pathsIn = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(urlPattern)].map(([, path = '']) => path)

const paths = new Set(
  repositoryFiles()
    .filter((file) => /\.md$|^docs\/.*\.(json|sh)$/.test(file))
    .flatMap(pathsIn),
)

describe('the URLs of the API in documents', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  it('have only parameters and values that exist', async () => {
    assert.ok(paths.size > 10)
    const results: string[] = []
    for (const path of paths) {
      const { status } = await sendUntilServed(`${service.baseUrl}${path}`, { headers: { prefer: 'handling=strict' } })
      results.push(`${path}: ${status}`)
    }
    assert.deepEqual(
      results,
      [...paths].map((path) => `${path}: ${path === wrongPath ? 422 : 200}`),
    )
  })
})
