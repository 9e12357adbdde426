import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON response
type Json = any

const rounds = probeCount(500)

describe('an expanded response', () => {
  let database: TestDatabase
  let ownerClient: Client
  let writer: RunningService
  let reader: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('None');
      insert into employees (code, status, dept_id, manager_id) values ('0', 'active', 1, null), ('1', 'active', 1, 1);
    `)
    ownerClient = new Client({ connectionString: database.url })
    await ownerClient.connect()
    writer = await startService(database.url)
    reader = await startService(database.url)
  })
  after(async () => {
    await writer.stop()
    await reader.stop()
    await ownerClient.end()
    await database.drop()
  })

  it(`shows every change of a related record: ${rounds} updates, each read back in six ways`, async () => {
    const reads: [path: string, valueIn: (json: Json) => string][] = [
      ['employees?expand=department', (json) => json.data[1].department.name],
      ['employees?expand=department,manager&fields=code', (json) => json.data[1].department.name],
      ['employees?expand=department&status=active', (json) => json.data[1].department.name],
      ['employees?expand=department&q=1', (json) => json.data[0].department.name],
      ['employees/2?expand=department', (json) => json.department.name],
      // This request reads the same table twice: for the record and for its related record.
      ['employees/2?expand=manager', (json) => json.manager.designation],
    ]
    const staleReads: string[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const newName = `mark ${round}`
      // These requests fill the cache with responses that the following writes make stale.
      for (const [path] of reads) await sendRequest(`${reader.baseUrl}/v1/${path}`)
      await ownerClient.query('update departments set name = $1 where id = 1', [newName])
      await ownerClient.query('update employees set designation = $1 where id = 1', [newName])
      for (const [path, valueIn] of reads) {
        const { json } = await sendRequest(`${reader.baseUrl}/v1/${path}`)
        if (valueIn(json) !== newName) staleReads.push(`${path} shows ${valueIn(json)}, not ${newName}`)
      }
    }
    assert.deepEqual(staleReads, [])
  })

  it(`shows every created record and every created related record: ${rounds} of each, created by another process`, async () => {
    const { json: firstOrganization } = await post(`${writer.baseUrl}/v1/organizations`, {
      name: 'First',
      slug: 'first',
    })
    const { json: brand } = await post(`${writer.baseUrl}/v1/brands`, {
      organization_id: firstOrganization.id,
      name: 'B',
      slug: 'first',
    })
    const staleReads: string[] = []
    let etag = ''
    for (let round = 1; round <= rounds; round += 1) {
      const slug = `slug-${round}`
      const listUrl = `${reader.baseUrl}/v1/brands?expand=organization&slug=${slug}`
      const recordUrl = `${reader.baseUrl}/v1/brands/${brand.id}?expand=organization`
      await sendRequest(listUrl)
      etag = (await sendRequest(recordUrl)).headers.get('etag') ?? ''
      const { json: organization } = await post(`${writer.baseUrl}/v1/organizations`, { name: 'Next', slug })
      if ((await sendRequest(recordUrl, { headers: { 'if-none-match': etag } })).status !== 200)
        staleReads.push(`the ETag from before ${slug} is still valid`)
      await post(`${writer.baseUrl}/v1/brands`, { organization_id: organization.id, name: 'Next', slug })
      const { json } = await sendRequest(listUrl)
      if (json.data[0]?.organization.slug !== slug) staleReads.push(slug)
    }
    assert.deepEqual(staleReads, [])
  })

  it('keeps its ETag while other tables change, and gets a new one when any of its own tables changes', async () => {
    const url = `${reader.baseUrl}/v1/employees?expand=department`
    const requestWithEtag = { headers: { 'if-none-match': (await sendRequest(url)).headers.get('etag') ?? '' } }
    assert.equal((await sendRequest(url, requestWithEtag)).status, 304)
    await database.execute(`insert into candidates (status) values ('active')`)
    assert.equal((await sendRequest(url, requestWithEtag)).status, 304)
    assert.equal((await sendRequest(`${writer.baseUrl}/v1/employees?expand=department`, requestWithEtag)).status, 304)
    await database.execute(`insert into departments (name) values ('Another')`)
    assert.equal((await sendRequest(url, requestWithEtag)).status, 200)
  })

  it('comes from the cache while its tables are unchanged, even if they are locked', async () => {
    const paths = ['employees?expand=department&limit=3', 'employees/2?expand=department,manager']
    // A response is cached when it is requested for the second time.
    for (const path of [...paths, ...paths]) await sendRequest(`${reader.baseUrl}/v1/${path}`)
    await ownerClient.query('begin; lock table employees, departments in access exclusive mode')
    for (const path of paths) assert.equal((await sendRequest(`${reader.baseUrl}/v1/${path}`)).status, 200)
    await ownerClient.query('rollback')
  })
})
