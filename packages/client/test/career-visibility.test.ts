/** The methods for career visibility against a running service with the demo company. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@muster/client'
import { createClient, MusterError } from '@muster/client'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'

describe('a client', () => {
  let database: TestDatabase
  let service: RunningService
  let muster: Client
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { careerSites: true })
    muster = createClient({ baseUrl: service.baseUrl })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })
  const json = async (path: string): Promise<unknown> =>
    (await fetch(`${service.baseUrl}/v1/career-visibility${path}`)).json()

  it('reads career sites and the postings that search engines do not get', async () => {
    assert.deepEqual(await muster.careerVisibility.sites(), await json(''))
    assert.deepEqual(await muster.careerVisibility.sites({ limit: 1, offset: 1 }), await json('?limit=1&offset=1'))
    const query = { locale: 'en', reason: 'closed', limit: 2 } as const
    const page = await muster.careerVisibility.postings(1, query)
    assert.deepEqual(page, await json('/1?locale=en&reason=closed&limit=2'))
    assert.ok(page.data.length === 2 && page.data.every(({ state, locale }) => state === 'closed' && locale === 'en'))
    assert.deepEqual(await muster.careerVisibility.postings(1), await json('/1'))
  })

  it('throws not_found for an unknown site', async () => {
    await assert.rejects(muster.careerVisibility.postings(99_999), (error) => {
      assert.ok(error instanceof MusterError)
      assert.deepEqual([error.status, error.code], [404, 'not_found'])
      return true
    })
  })
})
