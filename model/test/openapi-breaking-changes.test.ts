/** Each kind of change that breaks a client is planted once, and told in its own sentence; growth is not mistaken for one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakingChanges } from '../src/breaking-changes/document-changes.ts'
import { withoutProse } from '../src/breaking-changes/published.ts'
import type { OpenapiDocument } from '../src/derive/document.ts'
import { openapiDocument } from '../src/derive/openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test takes a document apart at will
type Loose = any

const before = openapiDocument()

const after = (change: (document: Loose) => void): string[] => {
  const document = structuredClone(before) as Loose
  change(document)
  return breakingChanges(before, document as OpenapiDocument)
}

const schema = (document: Loose, name: string): Loose => document.components.schemas[name]
const listEmployees = (document: Loose): Loose => document.paths['/v1/employees'].get
const createLeave = (document: Loose): Loose => document.paths['/v1/leave'].post
const parameter = (operation: Loose, name: string): Loose =>
  operation.parameters.find((each: Loose) => each.name === name)

const planted: readonly (readonly [sentence: string, change: (document: Loose) => void])[] = [
  ['The base address changed from /api to /v2', (document) => (document.servers[0].url = '/v2')],
  ['POST /v1/leave is gone', (document) => delete document.paths['/v1/leave'].post],
  [
    'GET /v1/employees is now called listStaff instead of listEmployees',
    (document) => (listEmployees(document).operationId = 'listStaff'),
  ],
  ['listEmployees now needs credentials', (document) => (listEmployees(document).security = [{ writeToken: [] }])],
  [
    'createLeave no longer takes the credentials writeToken',
    (document) => (createLeave(document).security = [{ other: [] }]),
  ],
  [
    'listEmployees no longer takes the parameter q',
    (document) =>
      listEmployees(document).parameters.splice(
        listEmployees(document).parameters.findIndex((each: Loose) => each.name === 'q'),
        1,
      ),
  ],
  [
    'listEmployees now requires the parameter tenant',
    (document) =>
      listEmployees(document).parameters.push({
        name: 'tenant',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
  ],
  [
    'listEmployees now requires the parameter status',
    (document) => (parameter(listEmployees(document), 'status').required = true),
  ],
  [
    'parameter limit of listEmployees: maximum narrowed from 200 to 100',
    (document) => (parameter(listEmployees(document), 'limit').schema.maximum = 100),
  ],
  [
    'parameter limit of listEmployees: default changed from 50 to 20',
    (document) => (parameter(listEmployees(document), 'limit').schema.default = 20),
  ],
  [
    'parameter offset of listEmployees: maximum narrowed from none to 10000',
    (document) => (parameter(listEmployees(document), 'offset').schema.maximum = 10_000),
  ],
  [
    'parameter status of listEmployees is now limited to "active", "pending"',
    (document) => (parameter(listEmployees(document), 'status').schema.enum = ['active', 'pending']),
  ],
  ['createLeave now requires reason', (document) => schema(document, 'LeaveRequestCreate').required.push('reason')],
  [
    'createLeave no longer accepts reason',
    (document) => delete schema(document, 'LeaveRequestCreate').properties.reason,
  ],
  [
    'reason of createLeave may no longer be null',
    (document) => (schema(document, 'LeaveRequestCreate').properties.reason.type = 'string'),
  ],
  [
    'days of createLeave may no longer be a number',
    (document) => (schema(document, 'LeaveRequestCreate').properties.days.type = ['integer', 'null']),
  ],
  [
    'reason of createLeave: maxLength narrowed from 20000 to 500',
    (document) => (schema(document, 'LeaveRequestCreate').properties.reason.maxLength = 500),
  ],
  [
    'reason of createLeave: minLength narrowed from none to 1',
    (document) => (schema(document, 'LeaveRequestCreate').properties.reason.minLength = 1),
  ],
  [
    'reason of createLeave: pattern changed from ^[^\\x00]*$ to ^[a-z]*$',
    (document) => (schema(document, 'LeaveRequestCreate').properties.reason.pattern = '^[a-z]*$'),
  ],
  [
    'employee_id of createLeave: anyOf changed, which this comparison cannot judge',
    (document) => (schema(document, 'LeaveRequestCreate').properties.employee_id.anyOf = [{ minimum: 1 }]),
  ],
  ['createLeave no longer takes a body', (document) => delete createLeave(document).requestBody],
  [
    'listEmployees now requires a body',
    (document) => (listEmployees(document).requestBody = { required: true, content: {} }),
  ],
  [
    'createLeave no longer takes application/json',
    (document) => {
      const { content } = createLeave(document).requestBody
      content['text/csv'] = content['application/json']
      delete content['application/json']
    },
  ],
  [
    'GET /v1/employees/{item_id} no longer answers 404',
    (document) => delete document.paths['/v1/employees/{item_id}'].get.responses[404],
  ],
  [
    '201 of createLeave no longer carries Location',
    (document) => delete createLeave(document).responses[201].headers.Location,
  ],
  [
    '201 of createLeave may now lack Location',
    (document) => (createLeave(document).responses[201].headers.Location.required = false),
  ],
  [
    '200 of listEmployees is no longer answered as application/json',
    (document) => delete listEmployees(document).responses[200].content['application/json'],
  ],
  ['Employee.gender is gone', (document) => delete schema(document, 'Employee').properties.gender],
  [
    'Employee.status may now be null',
    (document) => (schema(document, 'Employee').properties.status.type = ['string', 'null']),
  ],
  [
    'Employee.alumni may now be a number',
    (document) => (schema(document, 'Employee').properties.alumni.type = 'number'),
  ],
  ['Employee.status may now be missing', (document) => (schema(document, 'Employee').required = ['alumni'])],
  [
    'PaginationMeta.total: minimum widened from 0 to -1',
    (document) => (schema(document, 'PaginationMeta').properties.total.minimum = -1),
  ],
  [
    'an entry of Fault.loc may now be a number',
    (document) => (schema(document, 'Fault').properties.loc.items.type = ['string', 'number']),
  ],
  ['Fault.msg is gone', (document) => delete schema(document, 'Fault').properties.msg],
  [
    'No schema is called Health any more',
    (document) => {
      document.components.schemas.Condition = schema(document, 'Health')
      delete document.components.schemas.Health
      document.paths['/v1/health'].get.responses[200].content['application/json'].schema = {
        $ref: '#/components/schemas/Condition',
      }
    },
  ],
]

describe('a breaking change', () => {
  for (const [sentence, change] of planted) {
    it(`is told: ${sentence}`, () => assert.deepEqual(after(change), [sentence]))
  }

  it('in a value that an answer limits is told both ways', () => {
    const limited = structuredClone(before) as Loose
    limited.components.schemas.Health.properties.status.enum = ['ok', 'degraded']
    const wider = structuredClone(limited)
    wider.components.schemas.Health.properties.status.enum.push('asleep')
    assert.deepEqual(breakingChanges(limited, wider), ['Health.status may now be "asleep"'])
    assert.deepEqual(breakingChanges(limited, before), ['Health.status may now be any value'])
    assert.deepEqual(breakingChanges(before, wider), [])
  })

  it('is found in a document without prose as in a whole one', () => {
    const changed = structuredClone(before) as Loose
    schema(changed, 'JobOpening').properties.description.type = 'integer'
    assert.deepEqual(breakingChanges(withoutProse(before), changed), ['JobOpening.description may now be an integer'])
  })
})

describe('growth', () => {
  const grown: readonly (readonly [what: string, change: (document: Loose) => void])[] = [
    ['a new operation', (document) => (document.paths['/v1/vehicles'] = { get: listEmployees(document) })],
    ['a new status', (document) => (listEmployees(document).responses[429] = listEmployees(document).responses[503])],
    [
      'a new optional parameter',
      (document) =>
        listEmployees(document).parameters.push({
          name: 'sort',
          in: 'query',
          required: false,
          schema: { type: 'string' },
        }),
    ],
    ['a new field of a record', (document) => (schema(document, 'Employee').properties.pronouns = { type: 'string' })],
    [
      'a new optional field of a create',
      (document) => (schema(document, 'LeaveRequestCreate').properties.note = { type: ['string', 'null'] }),
    ],
    ['a wider bound of a parameter', (document) => (parameter(listEmployees(document), 'limit').schema.maximum = 500)],
    ['a create that asks for less', (document) => (schema(document, 'LeaveRequestCreate').required = [])],
    [
      'a field that is never null any more',
      (document) => (schema(document, 'Employee').properties.code.type = 'string'),
    ],
    [
      'a header on more answers',
      (document) => (listEmployees(document).responses[200].headers.Age = { schema: { type: 'string' } }),
    ],
    [
      'other words',
      (document) => {
        document.info.description = ''
        listEmployees(document).summary = 'Everyone'
        schema(document, 'Employee').properties.status.examples = ['here', 'gone']
      },
    ],
  ]
  for (const [what, change] of grown) {
    it(`is no breaking change: ${what}`, () => assert.deepEqual(after(change), []))
  }

  it('is measured by a record that keeps fields called like prose', () => {
    const bare = withoutProse(before)
    assert.deepEqual(breakingChanges(bare, before), [])
    assert.deepEqual(breakingChanges(before, bare), [])
    assert.ok(bare.components.schemas.JobOpening?.properties?.description)
    assert.equal(bare.info.description, undefined)
    assert.doesNotMatch(JSON.stringify(bare), /"examples":|"summary":/)
  })
})
