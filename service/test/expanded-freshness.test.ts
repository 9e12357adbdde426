/** An answer with related records is as fresh as each table it was read from, whoever writes and whoever is asked. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
type Json = any

const rounds = 500

describe('an expanded answer', () => {
  let database: TestDatabase
  let owner: Client
  let writer: RunningService
  let reader: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('None');
      insert into employees (code, status, dept_id, manager_id) values ('0', 'active', 1, null), ('1', 'active', 1, 1);
    `)
    owner = new Client({ connectionString: database.url })
    await owner.connect()
    writer = await startService(database.url)
    reader = await startService(database.url)
  })
  after(async () => {
    await writer.stop()
    await reader.stop()
    await owner.end()
    await database.drop()
  })

  it(`shows every change of a related record: ${rounds} updates, each read back in six ways, none stale`, async () => {
    const reads: [path: string, shown: (json: Json) => string][] = [
      ['employees?expand=department', (json) => json.data[1].department.name],
      ['employees?expand=department,manager&fields=code', (json) => json.data[1].department.name],
      ['employees?expand=department&status=active', (json) => json.data[1].department.name],
      ['employees?expand=department&q=1', (json) => json.data[0].department.name],
      ['employees/2?expand=department', (json) => json.department.name],
      // The same table twice: as the records and as their relation.
      ['employees/2?expand=manager', (json) => json.manager.designation],
    ]
    const stale: string[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const mark = `mark ${round}`
      // Asked before too, so that there is an answer in memory that is about to be old.
      for (const [path] of reads) await ask(`${reader.base}/v1/${path}`)
      await owner.query('update departments set name = $1 where id = 1', [mark])
      await owner.query('update employees set designation = $1 where id = 1', [mark])
      for (const [path, shown] of reads) {
        const { json } = await ask(`${reader.base}/v1/${path}`)
        if (shown(json) !== mark) stale.push(`${path} shows ${shown(json)}, not ${mark}`)
      }
    }
    assert.deepEqual(stale, [])
  })

  it(`shows every create, of the record and of the related one: ${rounds} of each through another process`, async () => {
    const { json: first } = await post(`${writer.base}/v1/organizations`, { name: 'First', slug: 'first' })
    const { json: brand } = await post(`${writer.base}/v1/brands`, {
      organization_id: first.id,
      name: 'B',
      slug: 'first',
    })
    const stale: string[] = []
    let tag = ''
    for (let round = 1; round <= rounds; round += 1) {
      const slug = `slug-${round}`
      const list = `${reader.base}/v1/brands?expand=organization&slug=${slug}`
      const one = `${reader.base}/v1/brands/${brand.id}?expand=organization`
      await ask(list)
      tag = (await ask(one)).headers.get('etag') ?? ''
      const { json: organization } = await post(`${writer.base}/v1/organizations`, { name: 'Next', slug })
      if ((await ask(one, { headers: { 'if-none-match': tag } })).status !== 200) stale.push(`the tag before ${slug}`)
      await post(`${writer.base}/v1/brands`, { organization_id: organization.id, name: 'Next', slug })
      const { json } = await ask(list)
      if (json.data[0]?.organization.slug !== slug) stale.push(slug)
    }
    assert.deepEqual(stale, [])
  })

  it('keeps its tag while other tables change, and loses it with any of its own', async () => {
    const url = `${reader.base}/v1/employees?expand=department`
    const held = { headers: { 'if-none-match': (await ask(url)).headers.get('etag') ?? '' } }
    assert.equal((await ask(url, held)).status, 304)
    await database.execute(`insert into candidates (status) values ('active')`)
    assert.equal((await ask(url, held)).status, 304)
    assert.equal((await ask(`${writer.base}/v1/employees?expand=department`, held)).status, 304)
    await database.execute(`insert into departments (name) values ('Another')`)
    assert.equal((await ask(url, held)).status, 200)
  })

  it('is answered from memory while nothing of it changes: nobody has to look into its tables', async () => {
    const paths = ['employees?expand=department&limit=3', 'employees/2?expand=department,manager']
    // Kept when they are asked for again.
    for (const path of [...paths, ...paths]) await ask(`${reader.base}/v1/${path}`)
    await owner.query('begin; lock table employees, departments in access exclusive mode')
    for (const path of paths) assert.equal((await ask(`${reader.base}/v1/${path}`)).status, 200)
    await owner.query('rollback')
  })
})
