/** Whoever asks for strict handling is told of every parameter that nobody knows; nobody else is. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openapiDocument, resources } from '@muster/model'
import { wantsStrict } from '../src/http/strict-handling.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const strict = { prefer: 'handling=strict' }

describe('strict handling', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const get = (path: string, headers: Record<string, string> = strict) => ask(`${service.base}/v1/${path}`, { headers })

  it('names unknown parameters after all other faults, with what was meant where that can be guessed', async () => {
    const { status, json, headers } = await get('employees?stauts=active&limit=0&colour=blue&stauts=x')
    assert.deepEqual([status, headers.get('preference-applied')], [422, 'handling=strict'])
    assert.deepEqual(json.detail.slice(1), [
      {
        type: 'unexpected_parameter',
        loc: ['query', 'stauts'],
        msg: 'This operation has no such parameter; did you mean status?',
        input: 'x',
        ctx: { did_you_mean: 'status' },
      },
      {
        type: 'unexpected_parameter',
        loc: ['query', 'colour'],
        msg: 'This operation has no such parameter',
        input: 'blue',
      },
    ])
    assert.equal(json.detail[0].type, 'greater_than_equal')
  })

  it('overlooks them without it, also right after it refused them, and the other way round', async () => {
    for (const path of ['departments?colour=blue', 'departments/1?colour=blue']) {
      for (let round = 0; round < 2; round += 1) {
        const { status, headers } = await get(path, {})
        assert.deepEqual([status, headers.get('preference-applied')], [200, null])
        assert.equal((await get(path)).status, 422)
        const held = { 'if-none-match': headers.get('etag') ?? '' }
        assert.equal((await get(path, { ...strict, ...held })).status, 422)
        assert.equal((await get(path, held)).status, 304)
      }
    }
  })

  it('knows every query parameter that the description lists, for every read', async () => {
    const { paths } = openapiDocument()
    for (const { path } of resources) {
      for (const item of [path, `${path}/{item_id}`]) {
        const listed = (paths[`/v1/${item}`]?.get?.parameters ?? []).filter((parameter) => parameter.in === 'query')
        const query = listed.map(({ name }) => `${name}=`).join('&')
        const { text } = await get(`${item.replace('{item_id}', '1')}?${query}`)
        assert.ok(!text.includes('unexpected_parameter'), `${item}: ${text.slice(0, 300)}`)
      }
    }
  })

  it('says that it was applied in what is found, what is not, and what has not changed', async () => {
    const found = await get('departments/1')
    const same = await get('departments/1', { ...strict, 'if-none-match': found.headers.get('etag') ?? '' })
    const answers = [found, same, await get('departments/none'), await get('departments')]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('preference-applied')]),
      [200, 304, 404, 200].map((status) => [status, 'handling=strict']),
    )
  })

  it('tells of twenty at once, and takes no time over long names', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `x${index}=1`).join('&')
    assert.equal((await get(`employees?${many}`)).json.detail.length, 20)
    assert.equal((await get(`employees?${'limit'.repeat(2_000)}=1`)).json.detail[0].ctx, undefined)
  })
})

describe('the preference for strict handling', () => {
  const cases: [prefer: string | undefined, wanted: boolean][] = [
    [undefined, false],
    ['', false],
    ['handling=strict', true],
    ['Handling = STRICT', true],
    ['handling="strict"', true],
    ['handling="st\\rict"', true],
    ['respond-async, wait=10, handling=strict; foo="a,b"', true],
    ['note="a, handling=strict, b"', false],
    ['return=minimal; handling=strict', false],
    ['handling=lenient, handling=strict', false],
    ['handling=strict, handling=lenient', true],
    ['handling', false],
    ['handling=', false],
    ['handling=stricter', false],
    ['mishandling=strict', false],
    ['"handling=strict', true],
    [`${'"\\'.repeat(8_000)}, handling=strict`, false],
  ]
  for (const [prefer, wanted] of cases) {
    it(`is ${wanted ? '' : 'not '}in ${JSON.stringify(prefer)?.slice(0, 80)}`, () => {
      assert.equal(wantsStrict(prefer), wanted)
    })
  }
})
