import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { maxLinkedParameters, reports } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

describe('a report', () => {
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

  const read = (name: string, query = '') => sendRequest(`${service.baseUrl}/v1/reports/${name}${query}`)

  it('is listed with its parameters and columns', async () => {
    const { json } = await sendRequest(`${service.baseUrl}/v1/reports`)
    assert.deepEqual(
      json.data.map(({ name, parameters, columns }: Record<string, { name: string }[]>) => [
        name,
        parameters?.map((parameter) => parameter.name),
        columns?.map((column) => column.name),
      ]),
      reports.map(({ name, parameters, columns }) => [
        name,
        ['as_of', ...Object.keys(parameters)],
        Object.keys(columns),
      ]),
    )
  })

  for (const { name, parameters } of reports) {
    it(`has the format that is asked for: ${name}`, async () => {
      for (const format of ['', 'json', '%20']) {
        const { status, headers } = await read(name, `?format=${format}`)
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'], format)
      }
      const csv = await read(name, '?format=csv')
      assert.equal(csv.headers.get('content-disposition'), `attachment; filename="${name}.csv"`)
      for (const format of ['%20csv', 'CSV', 'ndjson', 'csv,json'])
        assert.equal((await read(name, `?format=${format}`)).json.detail[0].type, 'literal_error', format)
      assert.equal((await read(name, '?format=%ff')).json.detail[0].type, 'string_unicode')
    })

    const text = Object.entries(parameters).find(([, { kind }]) => kind === 'texts')?.[0]
    if (text !== undefined)
      it(`has no links if they would repeat parameters of more than ${maxLinkedParameters} characters: ${name}`, async () => {
        const hasLinks = async (value: string): Promise<boolean> => {
          const { json } = await read(name, `?${text}=none,${value}`)
          return json.data.some(({ links }: { links: object }) => Object.keys(links).length > 0)
        }
        assert.equal(await hasLinks('a'.repeat(maxLinkedParameters)), false)
        assert.equal(await hasLinks('a'.repeat(maxLinkedParameters - 200)), await hasLinks('a'))
      })
  }
})
