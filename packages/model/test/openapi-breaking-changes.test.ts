import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakingChanges } from '../src/breaking-changes/document-changes.ts'
import { withoutProse } from '../src/breaking-changes/published.ts'
import type { OpenapiDocument } from '../src/openapi/document.ts'
import { openapiDocument } from '../src/openapi/openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test changes arbitrary parts of the document
type Loose = any

/** Without reports and counts, to make the many copies and comparisons faster. */
const currentDocument: OpenapiDocument = (({ paths, ...document }) => ({
  ...document,
  paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !/^\/v1\/(reports|counts)/.test(path))),
}))(openapiDocument())

const breakingChangesAfter = (change: (document: Loose) => void): string[] => {
  const document = structuredClone(currentDocument) as Loose
  change(document)
  return breakingChanges(currentDocument, document as OpenapiDocument)
}

const schemaIn = (document: Loose, name: string): Loose => document.components.schemas[name]
const listEmployees = (document: Loose): Loose => document.paths['/v1/employees'].get
const createLeave = (document: Loose): Loose => document.paths['/v1/leave'].post
const parameterIn = (operation: Loose, name: string): Loose =>
  operation.parameters.find((entry: Loose) => entry.name === name)

/** A comma-separated list. */
const listOf = (type: string) => ({ style: 'form', explode: false, schema: { type: 'array', items: { type } } })

const breakingCases: readonly (readonly [sentence: string, change: (document: Loose) => void])[] = [
  ['The base URL changed from /api to /v2', (document) => (document.servers[0].url = '/v2')],
  ['POST /v1/leave was removed', (document) => delete document.paths['/v1/leave'].post],
  [
    'GET /v1/employees was renamed from listEmployees to listStaff',
    (document) => (listEmployees(document).operationId = 'listStaff'),
  ],
  [
    'listEmployees now requires authentication',
    (document) => (listEmployees(document).security = [{ writeToken: [] }]),
  ],
  [
    'createLeave no longer accepts the security scheme writeToken',
    (document) => (createLeave(document).security = [{ other: [] }]),
  ],
  [
    'listEmployees no longer accepts the parameter q',
    (document) =>
      listEmployees(document).parameters.splice(
        listEmployees(document).parameters.findIndex((entry: Loose) => entry.name === 'q'),
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
        schemaIn: { type: 'string' },
      }),
  ],
  [
    'listEmployees now requires the parameter status',
    (document) => (parameterIn(listEmployees(document), 'status').required = true),
  ],
  [
    'parameter limit of listEmployees: maximum narrowed from 200 to 100',
    (document) => (parameterIn(listEmployees(document), 'limit').schema.maximum = 100),
  ],
  [
    'parameter limit of listEmployees: default changed from 50 to 20',
    (document) => (parameterIn(listEmployees(document), 'limit').schema.default = 20),
  ],
  [
    'parameter offset of listEmployees: maximum narrowed from none to 10000',
    (document) => (parameterIn(listEmployees(document), 'offset').schema.maximum = 10_000),
  ],
  [
    'parameter status of listEmployees is now limited to "active", "pending"',
    (document) => (parameterIn(listEmployees(document), 'status').schema.enum = ['active', 'pending']),
  ],
  [
    'parameter status of listEmployees may no longer be a string',
    (document) => Object.assign(parameterIn(listEmployees(document), 'status'), listOf('string')),
  ],
  ['createLeave now requires reason', (document) => schemaIn(document, 'LeaveRequestCreate').required.push('reason')],
  [
    'createLeave no longer accepts reason',
    (document) => delete schemaIn(document, 'LeaveRequestCreate').properties.reason,
  ],
  [
    'reason of createLeave may no longer be null',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.reason.type = 'string'),
  ],
  [
    'days of createLeave may no longer be a number',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.days.type = ['integer', 'null']),
  ],
  [
    'reason of createLeave: maxLength narrowed from 20000 to 500',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.reason.maxLength = 500),
  ],
  [
    'reason of createLeave: minLength narrowed from none to 1',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.reason.minLength = 1),
  ],
  [
    'reason of createLeave: pattern changed from ^[^\\x00]*$ to ^[a-z]*$',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.reason.pattern = '^[a-z]*$'),
  ],
  [
    'employee_id of createLeave: anyOf changed, which this comparison does not interpret',
    (document) => (schemaIn(document, 'LeaveRequestCreate').properties.employee_id.anyOf = [{ minimum: 1 }]),
  ],
  ['createLeave no longer accepts a body', (document) => delete createLeave(document).requestBody],
  [
    'listEmployees now requires a body',
    (document) => (listEmployees(document).requestBody = { required: true, content: {} }),
  ],
  [
    'createLeave no longer accepts application/json',
    (document) => {
      const { content } = createLeave(document).requestBody
      content['text/csv'] = content['application/json']
      delete content['application/json']
    },
  ],
  [
    'GET /v1/employees/{item_id} no longer returns 404',
    (document) => delete document.paths['/v1/employees/{item_id}'].get.responses[404],
  ],
  [
    '201 of createLeave no longer has the header Location',
    (document) => delete createLeave(document).responses[201].headers.Location,
  ],
  [
    '201 of createLeave may now omit the header Location',
    (document) => (createLeave(document).responses[201].headers.Location.required = false),
  ],
  [
    '200 of listEmployees is no longer available as application/json',
    (document) => delete listEmployees(document).responses[200].content['application/json'],
  ],
  ['Employee.gender was removed', (document) => delete schemaIn(document, 'Employee').properties.gender],
  [
    'Employee.status may now be null',
    (document) => (schemaIn(document, 'Employee').properties.status.type = ['string', 'null']),
  ],
  [
    'Employee.alumni may now be a number',
    (document) => (schemaIn(document, 'Employee').properties.alumni.type = 'number'),
  ],
  ['Employee.status may now be missing', (document) => (schemaIn(document, 'Employee').required = ['alumni'])],
  [
    'PaginationMeta.total: minimum widened from 0 to -1',
    (document) => (schemaIn(document, 'PaginationMeta').properties.total.minimum = -1),
  ],
  [
    'an entry of Fault.loc may now be a number',
    (document) => (schemaIn(document, 'Fault').properties.loc.items.type = ['string', 'number']),
  ],
  ['Fault.msg was removed', (document) => delete schemaIn(document, 'Fault').properties.msg],
  [
    'Schema Health was removed',
    (document) => {
      document.components.schemas.Condition = schemaIn(document, 'Health')
      delete document.components.schemas.Health
      document.paths['/v1/health'].get.responses[200].content['application/json'].schema = {
        $ref: '#/components/schemas/Condition',
      }
    },
  ],
]

describe('breaking changes', () => {
  for (const [sentence, change] of breakingCases) {
    it(`are reported: ${sentence}`, () => assert.deepEqual(breakingChangesAfter(change), [sentence]))
  }

  it('include a new enum value in a response, and the removal of an enum', () => {
    const withEnum = structuredClone(currentDocument) as Loose
    withEnum.components.schemas.Health.properties.status.enum = ['ok', 'degraded']
    const withWiderEnum = structuredClone(withEnum)
    withWiderEnum.components.schemas.Health.properties.status.enum.push('asleep')
    assert.deepEqual(breakingChanges(withEnum, withWiderEnum), ['Health.status may now be "asleep"'])
    assert.deepEqual(breakingChanges(withEnum, currentDocument), ['Health.status may now be any value'])
    assert.deepEqual(breakingChanges(currentDocument, withWiderEnum), [])
  })

  it('are also found if the old document has no prose', () => {
    const changed = structuredClone(currentDocument) as Loose
    schemaIn(changed, 'JobOpening').properties.description.type = 'integer'
    assert.deepEqual(breakingChanges(withoutProse(currentDocument), changed), [
      'JobOpening.description may now be an integer',
    ])
  })
})

describe('compatible changes', () => {
  const compatibleCases: readonly (readonly [changeName: string, change: (document: Loose) => void])[] = [
    [
      'a list of numbers instead of one number',
      (document) => Object.assign(parameterIn(listEmployees(document), 'alumni'), listOf('integer')),
    ],
    ['a new operation', (document) => (document.paths['/v1/vehicles'] = { get: listEmployees(document) })],
    ['a new status', (document) => (listEmployees(document).responses[429] = listEmployees(document).responses[503])],
    [
      'a new optional parameter',
      (document) =>
        listEmployees(document).parameters.push({
          name: 'sort',
          in: 'query',
          required: false,
          schemaIn: { type: 'string' },
        }),
    ],
    [
      'a new field of a record',
      (document) => (schemaIn(document, 'Employee').properties.pronouns = { type: 'string' }),
    ],
    [
      'a new optional field of a create',
      (document) => (schemaIn(document, 'LeaveRequestCreate').properties.note = { type: ['string', 'null'] }),
    ],
    [
      'a wider bound of a parameter',
      (document) => (parameterIn(listEmployees(document), 'limit').schema.maximum = 500),
    ],
    ['fewer required fields in a create', (document) => (schemaIn(document, 'LeaveRequestCreate').required = [])],
    [
      'a field that is no longer nullable',
      (document) => (schemaIn(document, 'Employee').properties.code.type = 'string'),
    ],
    [
      'a new response header',
      (document) => (listEmployees(document).responses[200].headers.Age = { schemaIn: { type: 'string' } }),
    ],
    [
      'changed prose',
      (document) => {
        document.info.description = ''
        listEmployees(document).summary = 'Everyone'
        schemaIn(document, 'Employee').properties.status.examples = ['here', 'gone']
      },
    ],
  ]
  for (const [changeName, change] of compatibleCases) {
    it(`are not reported: ${changeName}`, () => assert.deepEqual(breakingChangesAfter(change), []))
  }

  it('are not reported if the old document has no prose, which keeps fields that are named like prose keywords', () => {
    const documentWithoutProse = withoutProse(currentDocument)
    assert.deepEqual(breakingChanges(documentWithoutProse, currentDocument), [])
    assert.deepEqual(breakingChanges(currentDocument, documentWithoutProse), [])
    assert.ok(documentWithoutProse.components.schemas.JobOpening?.properties?.description)
    assert.equal(documentWithoutProse.info.description, undefined)
    assert.doesNotMatch(JSON.stringify(documentWithoutProse), /"examples":|"summary":/)
  })
})
