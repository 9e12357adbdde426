/** The description says what the interface is: judged by tables written by hand, never by the declarations it comes from. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Operation, Response, Schema } from '../src/derive/document.ts'
import { openapiDocument } from '../src/derive/openapi.ts'
import { id, name } from '../src/field.ts'
import { resources } from '../src/registry.ts'
import { resource } from '../src/resource.ts'

const document = openapiDocument()

/** Path, then the names of list, get and, where there is one, create. */
const verbs: readonly (readonly [path: string, list: string, get: string, create?: string])[] = [
  ['employees', 'listEmployees', 'getEmployee'],
  ['departments', 'listDepartments', 'getDepartment'],
  ['leave', 'listLeave', 'getLeave', 'createLeave'],
  ['attendance', 'listAttendance', 'getAttendance'],
  ['jobs', 'listJobs', 'getJob'],
  ['candidates', 'listCandidates', 'getCandidate'],
  ['applications', 'listApplications', 'getApplication', 'createApplication'],
  ['organizations', 'listOrganizations', 'getOrganization', 'createOrganization'],
  ['brands', 'listBrands', 'getBrand', 'createBrand'],
  ['career-sites', 'listCareerSites', 'getCareerSite', 'createCareerSite'],
  ['organization-teams', 'listOrganizationTeams', 'getOrganizationTeam', 'createOrganizationTeam'],
  ['job-distributions', 'listJobDistributions', 'getJobDistribution', 'createJobDistribution'],
]

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
)
const operationCalled = (operationId: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  assert.ok(found, `${operationId} is not described`)
  return found.operation
}
const schemaCalled = (schemaName: string): Schema => {
  const schema = document.components.schemas[schemaName]
  assert.ok(schema, `${schemaName} is not described`)
  return schema
}
const resolved = (response: Response | undefined): Response => {
  assert.ok(response)
  const shared = response.$ref?.split('/').at(-1)
  return shared === undefined ? response : (document.components.responses[shared] ?? {})
}

describe('the operations of the description', () => {
  it('are those of the interface, each at its path and under its name', () => {
    const expected = [
      ['GET /', 'getIndex'],
      ['GET /v1/health', 'getHealth'],
      ...verbs.flatMap(([path, list, get, create]) => [
        [`GET /v1/${path}`, list],
        ...(create === undefined ? [] : [[`POST /v1/${path}`, create]]),
        [`GET /v1/${path}/{item_id}`, get],
        ...(path === 'departments' ? [] : [[`GET /v1/counts/${path}`, list.replace('list', 'count')]]),
      ]),
    ]
    assert.deepEqual(
      operations.map(({ address, operation }) => [address, operation.operationId]),
      expected,
    )
  })

  it('have names of their own', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(names).size, 44)
  })

  it('declare exactly the statuses they can answer', () => {
    const statuses = (operationId: string) => Object.keys(operationCalled(operationId).responses).join(' ')
    assert.equal(statuses('getIndex'), '200 304')
    assert.equal(statuses('getHealth'), '200')
    for (const [, list, get, create] of verbs) {
      assert.equal(statuses(list), '200 304 422 429 500 503', list)
      if (list !== 'listDepartments')
        assert.equal(statuses(list.replace('list', 'count')), '200 304 422 429 500 503', list)
      assert.equal(statuses(get), '200 304 404 422 429 500 503', get)
      if (create !== undefined) assert.equal(statuses(create), '201 401 413 422 429 500 503', create)
    }
  })

  it('need a token to create and nothing to read', () => {
    for (const { address, operation } of operations)
      assert.deepEqual(operation.security, address.startsWith('POST') ? [{ writeToken: [] }] : [], address)
  })

  it('refuse parameters in one shape and bodies in the other', () => {
    const schemaOf = (operationId: string) =>
      resolved(operationCalled(operationId).responses[422]).content?.['application/json']?.schema.$ref
    for (const [, list, get, create] of verbs) {
      assert.equal(schemaOf(list), '#/components/schemas/ValidationDetail')
      assert.equal(schemaOf(get), '#/components/schemas/ValidationDetail')
      if (create !== undefined) assert.equal(schemaOf(create), '#/components/schemas/ErrorEnvelope')
    }
  })

  it('carry a request id in every answer, and in some what that answer needs', () => {
    const headersOf = (operationId: string, status: number) =>
      Object.keys(resolved(operationCalled(operationId).responses[status]).headers ?? {})
    for (const { operation } of operations) {
      for (const response of Object.values(operation.responses))
        assert.ok(resolved(response).headers?.['X-Request-Id'], operation.operationId)
    }
    assert.deepEqual(headersOf('getHealth', 200), ['X-Request-Id', 'Cache-Control'])
    assert.deepEqual(headersOf('createLeave', 201), ['X-Request-Id', 'Location', 'Idempotent-Replayed'])
    assert.deepEqual(headersOf('createLeave', 401), ['X-Request-Id', 'Cache-Control', 'WWW-Authenticate'])
    assert.deepEqual(headersOf('createLeave', 422), ['X-Request-Id', 'Cache-Control'])
    assert.deepEqual(headersOf('createLeave', 503), ['X-Request-Id', 'Cache-Control', 'Retry-After'])
    assert.deepEqual(headersOf('getLeave', 503), ['X-Request-Id', 'Cache-Control', 'Retry-After'])
  })

  it('promise Retry-After on a 503 of a read, and allow its absence on one of a create', () => {
    const { RetryAfter, RetryAfterOrNone } = document.components.headers
    assert.equal(RetryAfter?.required, true)
    assert.equal(RetryAfterOrNone?.required, false)
    const header = (operationId: string) =>
      resolved(operationCalled(operationId).responses[503]).headers?.['Retry-After']?.$ref
    assert.equal(header('listJobs'), '#/components/headers/RetryAfter')
    assert.equal(header('createBrand'), '#/components/headers/RetryAfterOrNone')
  })

  it('tell a person what they are for', () => {
    for (const { address, operation } of operations) {
      assert.ok(operation.summary.length > 8, address)
      assert.ok(operation.description.length > 60, address)
      assert.equal(operation.tags.length, 1, address)
      for (const parameter of operation.parameters ?? []) assert.ok(parameter.description.length > 20, address)
    }
  })
})

describe('the parameters of the description', () => {
  const parametersOf = (operationId: string) =>
    Object.fromEntries((operationCalled(operationId).parameters ?? []).map((parameter) => [parameter.name, parameter]))

  it('are limit, offset, q, sort, the filters of that list, the shape of its records, the form of the answer, the tag one holds and what one prefers, none of them required', () => {
    const names = (operationId: string) => Object.keys(parametersOf(operationId)).join(' ')
    assert.equal(
      names('listAttendance'),
      'limit offset q sort id employee_id employee_id_is_null att_date_from att_date_to status hours_from hours_to hours_is_null fields expand format If-None-Match Prefer',
    )
    assert.equal(names('listDepartments'), 'limit offset q sort id fields format If-None-Match Prefer')
    assert.equal(
      names('listJobDistributions'),
      'limit offset q sort id job_posting_id career_site_id brand_id brand_id_is_null locale slug status published_at_from published_at_to published_at_is_null fields expand format If-None-Match Prefer',
    )
    for (const [, list] of verbs) {
      for (const parameter of Object.values(parametersOf(list))) {
        assert.equal(parameter.in, ['If-None-Match', 'Prefer'].includes(parameter.name) ? 'header' : 'query')
        assert.equal(parameter.required, false)
      }
    }
  })

  it('say what a resource can be counted by, and narrow what is counted as they narrow the list', () => {
    const { by, ...others } = parametersOf('countAttendance')
    assert.deepEqual(
      [by?.required, by?.schema.pattern],
      [
        true,
        '^(?:employee_id|year\\(att_date\\)|month\\(att_date\\)|day\\(att_date\\)|status)(?:,(?:employee_id|year\\(att_date\\)|month\\(att_date\\)|day\\(att_date\\)|status))?$',
      ],
    )
    const {
      limit: _,
      offset: __,
      sort: _____,
      fields: ___,
      expand: ____,
      format,
      ...narrowing
    } = parametersOf('listAttendance')
    assert.deepEqual(Object.keys(others), Object.keys(narrowing))
    assert.deepEqual(format?.schema, { type: 'string', enum: ['json', 'csv', 'ndjson'] })
  })

  it('have the bounds that are enforced', () => {
    const { limit, offset, q, dept_id, status } = parametersOf('listEmployees')
    assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 200, default: 50 })
    assert.deepEqual(offset?.schema, { type: 'integer', minimum: 0, default: 0 })
    assert.deepEqual(q?.schema, { type: 'string', maxLength: 200 })
    assert.deepEqual(dept_id?.schema, { type: 'integer' })
    assert.deepEqual(status?.schema, { type: 'string' })
    assert.match(status?.description ?? '', /In common use: `active`, `on_leave`/)
    const { item_id } = parametersOf('getEmployee')
    assert.equal(item_id?.required, true)
    assert.equal(item_id?.schema.type, 'string')
    assert.equal(item_id?.schema.maxLength, 255)
  })
})

describe('the schemas of the description', () => {
  it('require of a record exactly the fields that are never absent', () => {
    assert.deepEqual(schemaCalled('Employee').required, ['status', 'alumni'])
    assert.deepEqual(schemaCalled('LeaveRequest').required, ['leave_type', 'status'])
    assert.deepEqual(schemaCalled('CareerSite').required, [
      'name',
      'slug',
      'brand_color',
      'accent_color',
      'is_active',
      'created',
      'updated',
    ])
    assert.deepEqual(schemaCalled('OrganizationTeam').required, ['organization_id', 'name'])
  })

  it('require of a create body exactly what cannot be filled in', () => {
    assert.deepEqual(schemaCalled('LeaveRequestCreate').required, ['leave_type'])
    assert.deepEqual(schemaCalled('RecruitmentBrandCreate').required, ['organization_id', 'name', 'slug'])
    assert.deepEqual(schemaCalled('JobDistributionCreate').required, ['job_posting_id', 'career_site_id', 'slug'])
  })

  it('say of each field whether it may be null', () => {
    const types = (schemaName: string) =>
      Object.fromEntries(
        Object.entries(schemaCalled(schemaName).properties ?? {}).map(([key, { type }]) => [key, type]),
      )
    assert.deepEqual(types('LeaveRequest'), {
      id: ['integer', 'null'],
      employee_id: ['integer', 'null'],
      leave_type: 'string',
      from_date: ['string', 'null'],
      to_date: ['string', 'null'],
      days: ['number', 'null'],
      status: 'string',
      reason: ['string', 'null'],
      applied_on: ['string', 'null'],
      // A related record, described by its own schema.
      employee: undefined,
    })
    const { description: _, ...employee } = schemaCalled('LeaveRequest').properties?.employee ?? {}
    assert.deepEqual(employee, { anyOf: [{ $ref: '#/components/schemas/Employee' }, { type: 'null' }] })
    const { description: __, ...job } = schemaCalled('Application').properties?.job ?? {}
    assert.deepEqual(job, { $ref: '#/components/schemas/JobOpening' })
    assert.deepEqual(types('LeaveRequestCreate'), {
      employee_id: ['integer', 'null'],
      leave_type: 'string',
      from_date: ['string', 'null'],
      to_date: ['string', 'null'],
      days: ['number', 'null'],
      status: ['string', 'null'],
      reason: ['string', 'null'],
      applied_on: ['string', 'null'],
    })
    assert.deepEqual(types('Employee').password_hash, ['string', 'null'])
  })

  it('close create bodies to undeclared properties, and leave records open to grow', () => {
    for (const [schemaName, schema] of Object.entries(document.components.schemas)) {
      const isCreate = schemaName.endsWith('Create')
      assert.equal(schema.additionalProperties === false, isCreate, schemaName)
    }
    assert.equal(Object.keys(document.components.schemas).filter((key) => key.endsWith('Create')).length, 7)
  })

  it('publish the default a create fills in', () => {
    const defaults = Object.entries(document.components.schemas).flatMap(([schemaName, { properties = {} }]) =>
      Object.entries(properties).flatMap(([key, schema]) =>
        schema.default === undefined ? [] : [`${schemaName}.${key} ${JSON.stringify(schema.default)}`],
      ),
    )
    assert.deepEqual(defaults, [
      'LeaveRequestCreate.status "pending"',
      'ApplicationCreate.stage "applied"',
      'ApplicationCreate.status "active"',
      'OrganizationCreate.default_locale "en"',
      'OrganizationCreate.timezone "UTC"',
      'CareerSiteCreate.brand_color "#1f2937"',
      'CareerSiteCreate.accent_color "#2563eb"',
      'CareerSiteCreate.is_active 1',
      'JobDistributionCreate.locale "en"',
      'JobDistributionCreate.status "draft"',
    ])
  })

  it('advise values and never limit a field to them', () => {
    assert.deepEqual(schemaCalled('LeaveRequestCreate').properties?.status?.examples, [
      'pending',
      'approved',
      'rejected',
      'cancelled',
    ])
    assert.doesNotMatch(JSON.stringify(document.components.schemas), /"enum":/)
  })

  it('put no rule on an answer that a stored record could break', () => {
    for (const { schema } of resources) {
      for (const [field, rules] of Object.entries(schemaCalled(schema).properties ?? {})) {
        const limits = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum'].filter((key) => key in rules)
        assert.deepEqual(limits, [], `${schema}.${field}`)
      }
    }
  })
})

describe('the description as a whole', () => {
  it('is OpenAPI 3.1 of interface version 1.0.0, served under /api', () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.equal(document.info.version, '1.0.0')
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/api'],
    )
  })

  it('refers to nothing that is not there, and holds nothing unused', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, at]) => at),
    )
    const { schemas, responses, headers } = document.components
    const declared = Object.entries({ schemas, responses, headers }).flatMap(([section, members]) =>
      Object.keys(members).map((key) => `${section}/${key}`),
    )
    assert.deepEqual([...references].sort(), declared.sort())
  })

  it('opens with the five pages', () => {
    const headings = [...document.info.description.matchAll(/^# (.+)$/gm)]
      .map((match) => match[1])
      // A comment in an example is no heading.
      .filter((heading) => document.info.description.includes(`\n\n# ${heading}\n\n`) || heading === 'Getting started')
    assert.deepEqual(headings, [
      'Getting started',
      'Paging through everything',
      'Searching and filtering',
      'Errors',
      'Writing safely',
    ])
  })

  it('takes in a new resource by its declaration alone', () => {
    const vehicles = resource({
      path: 'vehicles',
      table: 'vehicles',
      schema: 'Vehicle',
      one: 'Vehicle',
      many: 'Vehicles',
      title: 'vehicle',
      titles: 'vehicles',
      area: 'Enterprise',
      about: 'Cars of the company.',
      fields: { id: id(), plate: name('Number plate.', { required: true, create: 'required' }) },
    })
    const grown = openapiDocument(undefined, { resources: [...resources, vehicles] })
    assert.deepEqual(Object.keys(grown.paths).slice(-2), ['/v1/vehicles', '/v1/vehicles/{item_id}'])
    assert.equal(grown.paths['/v1/vehicles']?.post?.operationId, 'createVehicle')
    assert.deepEqual(grown.components.schemas.VehicleCreate?.required, ['plate'])
  })
})
