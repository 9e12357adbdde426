import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const nonIntegers = [
  ...[
    'abc',
    '1.5',
    '1.',
    '.0',
    '1e2',
    '0x10',
    '',
    '   ',
    'true',
    'NaN',
    '٥',
    '１',
    '--1',
    '+-1',
    '1,5',
    '5 5',
    '1__0',
    '_1',
  ],
  ...['1_', 'null', 'Infinity', '1.0.0', '-', '+', '5\u0000'],
]

const parsingError = (name: string, input: string): string =>
  `{"detail":[{"type":"int_parsing","loc":["query","${name}"],"msg":"Input should be a valid integer, unable to parse string as an integer","input":${JSON.stringify(input)}}]}`

describe('an integer parameter', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const requestList = (query: string) => sendRequest(`${service.baseUrl}/v1/departments?${query}`)

  for (const name of ['limit', 'offset']) {
    for (const input of nonIntegers) {
      it(`${name}=${JSON.stringify(input)} is rejected, because it is not an integer`, async () => {
        const response = await requestList(`${name}=${encodeURIComponent(input)}`)
        assert.equal(response.status, 422)
        assert.equal(response.text, parsingError(name, input))
      })
    }
  }

  for (const [input, value] of [
    ['5', '5'],
    ['%2B5', '5'],
    ['05', '5'],
    ['%205%20', '5'],
    ['+5', '5'],
    ['1.0', '1'],
    ['50.00', '50'],
    ['1_0', '10'],
    ['200', '200'],
    ['1', '1'],
  ] as const) {
    it(`limit=${input} means ${value}`, async () => {
      assert.equal(
        (await requestList(`limit=${input}`)).text,
        `{"data":[],"meta":{"total":0,"limit":${value},"offset":0}}`,
      )
    })
  }

  for (const [input, value] of [
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['9223372036854775808', '9223372036854775808'],
    [`${'0'.repeat(4_299)}7`, '7'],
  ] as const) {
    it(`offset=${input.slice(0, 40)} is echoed as ${value}`, async () => {
      assert.equal(
        (await requestList(`offset=${input}`)).text,
        `{"data":[],"meta":{"total":0,"limit":50,"offset":${value}}}`,
      )
    })
  }

  for (const input of ['0', '-1', '-0', '-5.0', '-99999999999999999999']) {
    it(`limit=${input} is rejected as too small`, async () => {
      assert.equal(
        (await requestList(`limit=${input}`)).text,
        `{"detail":[{"type":"greater_than_equal","loc":["query","limit"],"msg":"Input should be greater than or equal to 1","input":"${input}","ctx":{"ge":1}}]}`,
      )
    })
  }

  for (const input of ['201', '99999999999999999999', '9'.repeat(4_300)]) {
    it(`limit=${input.slice(0, 24)} is rejected as too large`, async () => {
      assert.equal(
        (await requestList(`limit=${input}`)).text,
        `{"detail":[{"type":"less_than_equal","loc":["query","limit"],"msg":"Input should be less than or equal to 200","input":"${input}","ctx":{"le":200}}]}`,
      )
    })
  }

  it('of more than 4,300 digits is rejected because of its length', async () => {
    const input = '9'.repeat(4_301)
    assert.equal(
      (await requestList(`offset=${input}`)).text,
      `{"detail":[{"type":"int_parsing_size","loc":["query","offset"],"msg":"Unable to parse input string as an integer, exceeded maximum size","input":"${input}"}]}`,
    )
  })

  it('has its last value if it is given more than once', async () => {
    assert.equal((await requestList('limit=abc&limit=7')).json.meta.limit, 7)
    assert.equal((await requestList('limit=7&limit=abc')).status, 422)
  })

  it('is ignored if the requested operation does not have it', async () => {
    assert.equal((await requestList('limits=abc&page=x&__proto__=1&limit[]=3')).status, 200)
  })
})
