import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openapiDocument, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { wantsStrict } from '../../src/http/request/prefer-header.ts'

const strictHeaders = { prefer: 'handling=strict' }

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
  const sendGet = (path: string, headers: Record<string, string> = strictHeaders) =>
    sendRequest(`${service.baseUrl}/v1/${path}`, { headers })

  it('reports unknown parameters after all other errors, with a suggestion if a known name is similar', async () => {
    const { status, json, headers } = await sendGet('employees?stauts=active&limit=0&colour=blue&stauts=x')
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

  it('reports fields that exist but have no filter by value as such, on lists and counts', async () => {
    const errors = async (path: string) =>
      (await sendGet(path)).json.detail.map(({ type, loc, ctx }: Record<string, unknown>) => [type, loc, ctx])
    const query =
      'first_name=Ada&base_salary=1&manager.first_name=Ada&manager.id=1&department.colour=red&password_hash='
    const expected = [
      ['field_not_filterable', ['query', 'first_name'], undefined],
      ['field_not_filterable', ['query', 'base_salary'], { did_you_mean: 'base_salary_from' }],
      ['field_not_filterable', ['query', 'manager.first_name'], undefined],
      ['field_not_filterable', ['query', 'manager.id'], undefined],
      ['unexpected_parameter', ['query', 'department.colour'], undefined],
      ['field_not_filterable', ['query', 'password_hash'], undefined],
    ]
    assert.deepEqual(await errors(`employees?${query}`), expected)
    assert.deepEqual(await errors(`employees?format=csv&${query}`), expected)
    assert.deepEqual(await errors(`counts/employees?by=status&${query}`), expected)
    const { json } = await sendGet('attendance?hours=8')
    assert.equal(json.detail[0].msg, 'This field has no filter by value; did you mean hours_from?')
    // A single record has no filters.
    assert.deepEqual(await errors('employees/1?first_name=Ada'), [
      ['unexpected_parameter', ['query', 'first_name'], undefined],
    ])
    assert.equal((await sendGet(`employees?${query}`, {})).status, 200)
  })

  it('applies only to requests with the Prefer header, even if the response is cached', async () => {
    for (const path of ['departments?colour=blue', 'departments/1?colour=blue']) {
      for (let round = 0; round < 2; round += 1) {
        const { status, headers } = await sendGet(path, {})
        assert.deepEqual([status, headers.get('preference-applied')], [200, null])
        assert.equal((await sendGet(path)).status, 422)
        const etagHeaders = { 'if-none-match': headers.get('etag') ?? '' }
        assert.equal((await sendGet(path, { ...strictHeaders, ...etagHeaders })).status, 422)
        assert.equal((await sendGet(path, etagHeaders)).status, 304)
      }
    }
  })

  it('accepts every query parameter in the OpenAPI document, for every read', async () => {
    const { paths } = openapiDocument()
    for (const { path } of resources) {
      for (const documentedPath of [path, `${path}/{item_id}`]) {
        const parameters = (paths[`/v1/${documentedPath}`]?.get?.parameters ?? []).filter(
          (parameter) => parameter.in === 'query',
        )
        const query = parameters.map(({ name }) => `${name}=`).join('&')
        const { text } = await sendGet(`${documentedPath.replace('{item_id}', '1')}?${query}`)
        assert.ok(!text.includes('unexpected_parameter'), `${documentedPath}: ${text.slice(0, 300)}`)
      }
    }
  })

  it('is confirmed by Preference-Applied in responses with status 200, 304 and 404', async () => {
    const okResponse = await sendGet('departments/1')
    const notModifiedResponse = await sendGet('departments/1', {
      ...strictHeaders,
      'if-none-match': okResponse.headers.get('etag') ?? '',
    })
    const responses = [okResponse, notModifiedResponse, await sendGet('departments/none'), await sendGet('departments')]
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get('preference-applied')]),
      [200, 304, 404, 200].map((status) => [status, 'handling=strict']),
    )
  })

  it('reports at most twenty parameters, and suggests nothing for long names', async () => {
    const manyParameters = Array.from({ length: 100 }, (_, index) => `x${index}=1`).join('&')
    assert.equal((await sendGet(`employees?${manyParameters}`)).json.detail.length, 20)
    assert.equal((await sendGet(`employees?${'limit'.repeat(2_000)}=1`)).json.detail[0].ctx, undefined)
  })
})

describe('Prefer: handling=strict', () => {
  const cases: [prefer: string | undefined, expected: boolean][] = [
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
  for (const [prefer, expected] of cases) {
    it(`is ${expected ? '' : 'not '}recognized in ${JSON.stringify(prefer)?.slice(0, 80)}`, () => {
      assert.equal(wantsStrict(prefer), expected)
    })
  }
})
