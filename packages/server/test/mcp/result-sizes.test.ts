/** No result is larger than 20 kB, whatever the records and the arguments contain. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { fieldNames, isCountable, reports, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { Agent } from '../../../../tests/support/mcp.ts'
import { callMessage, connectHttp, messageIn, postMessage } from '../../../../tests/support/mcp.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

const maxBytes = 20_000

/** Each character takes up to seven bytes in a result, because it is escaped twice. */
const hostileTexts = [
  `repeat(chr(1) || chr(34) || chr(92) || chr(10), 5000)`,
  `repeat('😀', 10000)`,
  `repeat('x', 20000)`,
]

const textFieldsOf = ({ storedFields, unique }: Resource) =>
  storedFields.filter(
    ({ kind, name, state }) => ['text', 'url'].includes(kind) && !state && !unique.flat().includes(name),
  )

let database: TestDatabase
let service: RunningService
let agent: Agent
before(async () => {
  database = await createSeededDatabase()
  for (const resource of resources) {
    const assignments = textFieldsOf(resource).map(
      // Only resources with creates have maximum lengths in the database.
      ({ name, maxLength }, index) =>
        `${name} = left(${hostileTexts[index % hostileTexts.length]}, ${resource.creatable ? maxLength : 20_000})`,
    )
    if (assignments.length > 0)
      await database.execute(`update ${resource.table} set ${assignments.join(', ')} where id <= 5`)
  }
  service = await startService(database.url, { mcp: { writes: true } })
  agent = await connectHttp(`http://127.0.0.1:${service.port}`, token)
})
after(async () => {
  await agent.close()
  await service.stop()
  await database.drop()
})

let largestResult = 0
const check = async (name: string, args: Readonly<Record<string, unknown>>) => {
  const result = await agent.call(name, args)
  largestResult = Math.max(largestResult, result.bytes)
  assert.ok(result.bytes <= maxBytes, `${name} ${JSON.stringify(args)}: ${result.bytes} bytes`)
  return result
}

describe('results with long values', () => {
  for (const resource of resources)
    it(`of ${resource.path} show at least one record, and have a next page if they do not show all`, async () => {
      const related = fieldNames(resource)
      for (const fields of [undefined, related.slice(0, resource.allFields.length), related]) {
        const { json, texts } = await check('list', { resource: resource.path, limit: 200, ...(fields && { fields }) })
        assert.ok(json.shown >= 1, JSON.stringify(json))
        assert.equal(json.shown, json.rows.length)
        assert.equal(json.next, json.shown < json.total ? json.shown : null)
        if (fields !== undefined && resource.sortableFields.length < resource.allFields.length - 1)
          assert.ok(texts.length > 0)
        const id = json.rows[0].id
        assert.equal((await check('get', { resource: resource.path, id, ...(fields && { fields }) })).json.shown, 1)
      }
    })

  it('of every other tool stay below the limit', async () => {
    for (const { path } of resources.filter(isCountable)) {
      const { json } = await check('describe', { resource: path })
      for (const by of json.groupings) await check('count', { resource: path, by: [by], limit: 200 })
    }
    for (const { name } of reports) {
      await check('describe', { report: name })
      if (name === 'org-chart') await check('org_chart', { depth: 32, limit: 200 })
      else await check('report', { name, limit: 200 })
    }
    await check('report', {
      name: 'openings',
      parameters: { by: 'id', status: ['open', 'closed', 'archived'] },
      limit: 200,
    })
    await check('find', { text: '\u0001"\\' })
    await check('find', { text: '😀' })
    await check('find', { text: 'xx' })
  })

  it('read at most 20 records if long texts are named, and up to 200 otherwise', async () => {
    await database.execute(`insert into departments (name) select 'x' from generate_series(1, 100)`)
    await database.execute(`update candidates set notes = 'short' where id > 5`)
    const { json: withTexts, texts } = await check('list', {
      resource: 'candidates',
      fields: ['notes'],
      offset: 5,
      limit: 200,
    })
    assert.deepEqual([withTexts.shown, withTexts.next, texts.length], [20, 25, 20])
    const { json: plain } = await check('list', { resource: 'departments', fields: ['id'], limit: 100 })
    assert.equal(plain.shown, 100)
  })

  it('cut a value, and say how long a quoted text is', async (context) => {
    context.diagnostic(`the largest result so far has ${largestResult} bytes`)
    const { json, texts } = await check('get', { resource: 'candidates', id: 1, fields: ['last_name', 'notes'] })
    assert.ok(json.rows[0].last_name.length <= 201)
    assert.ok(json.rows[0].last_name.endsWith('…'))
    assert.equal(texts[0]?.length, 20_000)
    assert.ok(Number(texts[0]?.text.length) < 20_000)
  })
})

describe('responses to large arguments', () => {
  // Near the limits of a message: 64 kB, 500 values and 20 levels.
  const long = 'x"\u0001'.repeat(7_000)
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const many = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`${index}${long.slice(0, 20)}`, 1]))
  const calls: readonly (readonly [title: string, name: string, args: unknown])[] = [
    ['a name of a tool', long, {}],
    ['a name of an argument', 'list', { resource: 'leave', [long]: 1 }],
    ['a resource', 'list', { resource: long }],
    ['a search', 'list', { resource: 'leave', q: long }],
    ['a text to find', 'find', { text: long }],
    ['an order', 'list', { resource: 'leave', sort: long }],
    ['the name of a filter', 'list', { resource: 'leave', filters: { [long]: 1 } }],
    ['the value of a filter', 'list', { resource: 'leave', filters: { status: long } }],
    ['the values of a filter', 'count', { resource: 'leave', filters: { employee_id: Array(450).fill(1) } }],
    ['many filters', 'list', { resource: 'leave', filters: many }],
    [
      'many fields',
      'list',
      { resource: 'leave', fields: Array.from({ length: 450 }, (_, index) => `status_${index}`) },
    ],
    ['a field', 'list', { resource: 'leave', fields: [long] }],
    ['a grouping', 'count', { resource: 'leave', by: [long] }],
    ['a column', 'report', { name: 'today', sort: long }],
    ['the name of a parameter', 'report', { name: 'today', parameters: { [long]: 1 } }],
    ['statuses', 'org_chart', { status: [long] }],
    ['a record', 'create', { resource: 'leave', record: { leave_type: long } }],
    ['names in a record', 'create', { resource: 'leave', record: many }],
    ['many arguments', 'list', many],
  ]
  for (const [title, name, args] of calls)
    it(`(${title}) are errors and stay below the limit`, async () => {
      const response = await postMessage(`http://127.0.0.1:${service.port}`, callMessage(name, args), {
        authorization: `Bearer ${token}`,
      })
      assert.ok(Buffer.byteLength(response.text) <= maxBytes, `${response.text.length}`)
      assert.equal(response.status, 200)
      const { error, result } = messageIn(response)
      assert.ok(error !== undefined || result.isError, response.text.slice(0, 500))
      assert.doesNotMatch(response.text, /because of a bug/)
    })

  for (const [title, text] of [
    ['the arguments', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":${deep}}}`],
    [
      'a filter',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"resource":"leave","filters":{"status":${deep}}}}}`,
    ],
    [
      'a record',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create","arguments":{"resource":"leave","record":{"a":${deep}}}}}`,
    ],
    ['a parameter of the protocol', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${deep}}}}`],
  ] as const)
    it(`(nested arrays in ${title}) do not end the service`, async () => {
      const { status, text: body } = await postMessage(`http://127.0.0.1:${service.port}`, text, {
        authorization: `Bearer ${token}`,
      })
      assert.ok(status === 200 || status === 400, `${status} ${body.slice(0, 300)}`)
      assert.ok(Buffer.byteLength(body) <= maxBytes)
      assert.equal((await check('count', { resource: 'departments' })).isError, false)
    })
})
