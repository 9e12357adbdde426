/** Compares the OpenAPI document with the hand-written contract, not with the declarations from which it is generated. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contractOf, creatable, writableFieldsOf } from '../../../tests/contract/contract.ts'
import type { Operation, Response, Schema } from '../src/openapi/document.ts'
import { openapiDocument } from '../src/openapi/openapi.ts'
import { reportOperationId } from '../src/openapi/report-operations.ts'
import { resources } from '../src/registry.ts'
import { reports } from '../src/reports/registry.ts'
import { id, name } from '../src/schema/field.ts'
import { resource, trackedFields } from '../src/schema/resource.ts'

const document = openapiDocument()

/** The path and the operation ids of each resource, in the order of the registry. */
const operationTable = resources.map(({ path }) => {
  const { singular, plural } = contractOf(path)
  return {
    path,
    list: `list${plural}`,
    count: `count${plural}`,
    get: `get${singular}`,
    ...(creatable.includes(path) ? { create: `create${singular}` } : {}),
  }
})

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
)
const findOperation = (operationId: string): Operation => {
  const match = operations.find(({ operation }) => operation.operationId === operationId)
  assert.ok(match, `${operationId} is missing`)
  return match.operation
}
const findSchema = (schemaName: string): Schema => {
  const schema = document.components.schemas[schemaName]
  assert.ok(schema, `${schemaName} is missing`)
  return schema
}
const resolveResponse = (response: Response | undefined): Response => {
  assert.ok(response)
  const sharedName = response.$ref?.split('/').at(-1)
  return sharedName === undefined ? response : (document.components.responses[sharedName] ?? {})
}

describe('operations', () => {
  it('have the expected paths and ids', () => {
    const expected = [
      ['GET /', 'getIndex'],
      ['GET /v1/health', 'getHealth'],
      ['GET /v1/session', 'getSession'],
      ...operationTable.flatMap(({ path, list, count, get, create }) => [
        [`GET /v1/${path}`, list],
        ...(create === undefined ? [] : [[`POST /v1/${path}`, create]]),
        [`GET /v1/${path}/{item_id}`, get],
        [`GET /v1/counts/${path}`, count],
      ]),
      ['GET /v1/history', 'listHistory'],
      ['GET /v1/history/{item_id}', 'getHistoryEntry'],
      ['GET /v1/counts/history', 'countHistory'],
      ...resources
        .filter((resource) => trackedFields(resource).length > 0)
        .map(({ path }) => [`GET /v1/${path}/{item_id}/history`, `get${contractOf(path).singular}History`]),
      ['GET /v1/reports', 'listReports'],
      ...reports.map((report) => [`GET /v1/reports/${report.name}`, reportOperationId(report)]),
      ['GET /v1/career-visibility', 'listCareerVisibility'],
      ['GET /v1/career-visibility/{item_id}', 'getCareerVisibility'],
      ['GET /v1/search', 'searchRecords'],
      ['GET /v1/changes', 'listChanges'],
    ]
    assert.deepEqual(
      operations.map(({ route, operation }) => [route, operation.operationId]),
      expected,
    )
  })

  it('have unique ids', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(names).size, operations.length)
  })

  it('declare exactly the statuses they can return', () => {
    const statuses = (operationId: string) => Object.keys(findOperation(operationId).responses).join(' ')
    assert.equal(statuses('getIndex'), '200 304')
    assert.equal(statuses('getHealth'), '200')
    assert.equal(statuses('getSession'), '200 429')
    for (const { list, count, get, create } of operationTable) {
      assert.equal(statuses(list), '200 304 422 429 500 503', list)
      assert.equal(statuses(count), '200 304 422 429 500 503', count)
      assert.equal(statuses(get), '200 304 404 422 429 500 503', get)
      if (create !== undefined) assert.equal(statuses(create), '201 401 403 413 422 429 500 503', create)
    }
  })

  it('need a token to create and none to read', () => {
    for (const { route, operation } of operations)
      assert.deepEqual(operation.security, route.startsWith('POST') ? [{ writeToken: [] }] : [], route)
  })

  it('report invalid parameters as ValidationDetail and invalid bodies as ErrorEnvelope', () => {
    const schemaOf = (operationId: string) =>
      resolveResponse(findOperation(operationId).responses[422]).content?.['application/json']?.schema.$ref
    for (const { list, get, create } of operationTable) {
      assert.equal(schemaOf(list), '#/components/schemas/ValidationDetail')
      assert.equal(schemaOf(get), '#/components/schemas/ValidationDetail')
      if (create !== undefined) assert.equal(schemaOf(create), '#/components/schemas/ErrorEnvelope')
    }
  })

  it('declare the headers of each response, always with a request id', () => {
    const headersOf = (operationId: string, status: number) =>
      Object.keys(resolveResponse(findOperation(operationId).responses[status]).headers ?? {})
    for (const { operation } of operations) {
      for (const response of Object.values(operation.responses))
        assert.ok(resolveResponse(response).headers?.['X-Request-Id'], operation.operationId)
    }
    assert.deepEqual(headersOf('getHealth', 200), ['X-Request-Id', 'Cache-Control'])
    assert.deepEqual(headersOf('createLeave', 201), ['X-Request-Id', 'Location', 'Idempotent-Replayed'])
    assert.deepEqual(headersOf('createLeave', 401), ['X-Request-Id', 'Cache-Control', 'WWW-Authenticate'])
    assert.deepEqual(headersOf('createLeave', 422), ['X-Request-Id', 'Cache-Control'])
    assert.deepEqual(headersOf('createLeave', 503), ['X-Request-Id', 'Cache-Control', 'Retry-After'])
    assert.deepEqual(headersOf('getLeave', 503), ['X-Request-Id', 'Cache-Control', 'Retry-After'])
  })

  it('declare that a 503 response always has Retry-After for a read, and may omit it for a create', () => {
    const { RetryAfter, RetryAfterOrNone } = document.components.headers
    assert.equal(RetryAfter?.required, true)
    assert.equal(RetryAfterOrNone?.required, false)
    const header = (operationId: string) =>
      resolveResponse(findOperation(operationId).responses[503]).headers?.['Retry-After']?.$ref
    assert.equal(header('listJobs'), '#/components/headers/RetryAfter')
    assert.equal(header('createBrand'), '#/components/headers/RetryAfterOrNone')
  })

  it('have a summary, a description and one tag', () => {
    for (const { route, operation } of operations) {
      assert.ok(operation.summary.length > 8, route)
      assert.ok(operation.description.length > 60, route)
      assert.equal(operation.tags.length, 1, route)
      for (const parameter of operation.parameters ?? []) assert.ok(parameter.description.length > 20, route)
    }
  })
})

describe('parameters', () => {
  const parametersOf = (operationId: string) =>
    Object.fromEntries((findOperation(operationId).parameters ?? []).map((parameter) => [parameter.name, parameter]))

  /** The fields of employees by which lists of other resources can be filtered. */
  const employeeFilters = Object.entries(contractOf('employees').fields).flatMap(([name, field]) => {
    const isRange = field.kind === 'date' || field.kind === 'number'
    const isFilter =
      isRange || ['reference', 'state'].includes(field.kind) || ('filter' in field && field.filter === true)
    return isFilter ? [{ name, isRange }] : []
  })

  it('of a list are limit, offset, q, sort, filters, fields, expand, format, If-None-Match and Prefer, all optional', () => {
    const names = (operationId: string) =>
      Object.keys(parametersOf(operationId))
        .filter((name) => !name.includes('.'))
        .join(' ')
    assert.equal(
      names('listAttendance'),
      'limit offset q sort id employee_id employee_id_is_null att_date_from att_date_to status status_not hours_from hours_to hours_is_null health fields expand format If-None-Match Prefer',
    )
    assert.equal(names('listDepartments'), 'limit offset q sort id name fields format If-None-Match Prefer')
    assert.equal(
      names('listJobDistributions'),
      'limit offset q sort id job_posting_id career_site_id brand_id brand_id_is_null locale slug status status_not published_at_from published_at_to published_at_is_null health fields expand format If-None-Match Prefer',
    )
    for (const { list } of operationTable) {
      for (const parameter of Object.values(parametersOf(list))) {
        assert.equal(parameter.in, ['If-None-Match', 'Prefer'].includes(parameter.name) ? 'header' : 'query')
        assert.equal(parameter.required, false)
      }
    }
  })

  it('of a list include filters through each relation, by value and range', () => {
    const { status, 'employee.status': related, ...others } = parametersOf('listLeave')
    assert.deepEqual(related?.schema, status?.schema)
    assert.match(related?.description ?? '', /^Only records with this `employee\.status`/)
    assert.deepEqual(
      Object.keys(others).filter((name) => name.includes('.')),
      employeeFilters.flatMap(({ name, isRange }) =>
        name === 'status' ? [] : isRange ? [`employee.${name}_from`, `employee.${name}_to`] : `employee.${name}`,
      ),
    )
    const relations = (operationId: string) =>
      new Set(
        Object.keys(parametersOf(operationId))
          .filter((name) => name.includes('.'))
          .map((name) => name.split('.')[0]),
      )
    for (const operation of ['listApplications', 'countApplications'])
      assert.deepEqual([...relations(operation)], ['candidate', 'job'])
    for (const operation of ['listDepartments', 'getLeave']) assert.equal(relations(operation).size, 0)
  })

  it('of a count are `by`, limit, offset, and the search, filters and headers of the list', () => {
    const { by, ...others } = parametersOf('countAttendance')
    const names = [
      ...['employee_id', 'year(att_date)', 'month(att_date)', 'week(att_date)', 'day(att_date)', 'status'],
      ...employeeFilters.filter(({ isRange }) => !isRange).map(({ name }) => `employee.${name}`),
    ]
    assert.deepEqual(by?.schema, {
      type: 'array',
      items: { type: 'string', enum: names },
      minItems: 1,
      maxItems: 2,
      examples: [['status']],
    })
    assert.deepEqual([by.required, by.style, by.explode], [true, 'form', false])
    const { sort: _, fields: __, expand: ___, format, ...filters } = parametersOf('listAttendance')
    assert.deepEqual(Object.keys(others), Object.keys(filters))
    assert.deepEqual(others.limit?.schema, { type: 'integer', minimum: 1, maximum: 1_000 })
    assert.deepEqual(format?.schema, { type: 'string', enum: ['json', 'csv', 'ndjson'] })
  })

  it('declare the limits that the service enforces', () => {
    const { limit, offset, q, dept_id, alumni, status } = parametersOf('listEmployees')
    assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 200, default: 50 })
    assert.deepEqual(offset?.schema, { type: 'integer', minimum: 0, default: 0 })
    assert.deepEqual(q?.schema, { type: 'string', maxLength: 200 })
    assert.deepEqual(dept_id?.schema, { type: 'array', items: { type: 'integer' }, maxItems: 200 })
    assert.deepEqual([dept_id?.style, dept_id?.explode], ['form', false])
    assert.deepEqual(alumni?.schema, { type: 'integer' })
    assert.deepEqual(status?.schema, { type: 'string' })
    assert.match(status?.description ?? '', /Common values: `active`, `on_leave`/)
    const { item_id } = parametersOf('getEmployee')
    assert.equal(item_id?.required, true)
    assert.equal(item_id?.schema.type, 'string')
    assert.equal(item_id?.schema.maxLength, 255)
  })
})

describe('schemas', () => {
  it('of records require exactly the fields that are never null', () => {
    assert.deepEqual(findSchema('Employee').required, ['status', 'alumni'])
    assert.deepEqual(findSchema('LeaveRequest').required, ['leave_type', 'status'])
    assert.deepEqual(findSchema('CareerSite').required, [
      'name',
      'slug',
      'brand_color',
      'accent_color',
      'is_active',
      'created',
      'updated',
    ])
    assert.deepEqual(findSchema('OrganizationTeam').required, ['organization_id', 'name'])
  })

  it('of create bodies require exactly the fields that every create must have', () => {
    assert.deepEqual(findSchema('LeaveRequestCreate').required, ['leave_type'])
    assert.deepEqual(findSchema('RecruitmentBrandCreate').required, ['organization_id', 'name', 'slug'])
    assert.deepEqual(findSchema('JobDistributionCreate').required, ['job_posting_id', 'career_site_id', 'slug'])
  })

  it('have the expected nullability of each field', () => {
    const types = (schemaName: string) =>
      Object.fromEntries(Object.entries(findSchema(schemaName).properties ?? {}).map(([key, { type }]) => [key, type]))
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
      // The property `employee` is a related record: its schema is a reference to another schema and has no type.
      employee: undefined,
    })
    const { description: _, ...employee } = findSchema('LeaveRequest').properties?.employee ?? {}
    assert.deepEqual(employee, { anyOf: [{ $ref: '#/components/schemas/Employee' }, { type: 'null' }] })
    const { description: __, ...job } = findSchema('Application').properties?.job ?? {}
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

  it('forbid undeclared properties in create bodies only', () => {
    for (const [schemaName, schema] of Object.entries(document.components.schemas)) {
      const isCreate = schemaName.endsWith('Create')
      assert.equal(schema.additionalProperties === false, isCreate, schemaName)
    }
    assert.equal(
      Object.keys(document.components.schemas).filter((key) => key.endsWith('Create')).length,
      creatable.length,
    )
  })

  it('of create bodies have the expected defaults', () => {
    for (const { path, schema } of resources.filter(({ creatable }) => creatable)) {
      const { properties = {} } = findSchema(`${schema}Create`)
      for (const { field, default: value } of writableFieldsOf(path))
        assert.equal(properties[field]?.default, value, `${path}.${field}`)
    }
  })

  it('list suggested values as examples and never as an enum', () => {
    assert.deepEqual(findSchema('LeaveRequestCreate').properties?.status?.examples, [
      'pending',
      'approved',
      'rejected',
      'cancelled',
    ])
    assert.doesNotMatch(JSON.stringify(document.components.schemas), /"enum":/)
  })

  it('of records have no limits that a stored row could violate', () => {
    for (const { schema } of resources) {
      for (const [field, rules] of Object.entries(findSchema(schema).properties ?? {})) {
        const limits = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum'].filter((key) => key in rules)
        assert.deepEqual(limits, [], `${schema}.${field}`)
      }
    }
  })
})

describe('the OpenAPI document', () => {
  it('is an OpenAPI 3.1 document for API version 1.0.0, with the base path /api', () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.equal(document.info.version, '1.0.0')
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/api'],
    )
  })

  it('has no dangling references and no unused components', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, at]) => at),
    )
    const { schemas, responses, headers } = document.components
    const declared = Object.entries({ schemas, responses, headers }).flatMap(([section, members]) =>
      Object.keys(members).map((key) => `${section}/${key}`),
    )
    assert.deepEqual([...references].sort(), declared.sort())
  })

  it('has a description with five introductory chapters', () => {
    const headings = [...document.info.description.matchAll(/^# (.+)$/gm)]
      .map((match) => match[1])
      // Shell comments in examples also start with #.
      .filter((heading) => document.info.description.includes(`\n\n# ${heading}\n\n`) || heading === 'Getting started')
    assert.deepEqual(headings, [
      'Getting started',
      'Paging through everything',
      'Searching and filtering',
      'Errors',
      'Writing safely',
    ])
  })

  it('includes a new resource as soon as it is declared', () => {
    const vehicles = resource({
      path: 'vehicles',
      table: 'vehicles',
      schema: 'Vehicle',
      operationSingular: 'Vehicle',
      operationPlural: 'Vehicles',
      title: 'vehicle',
      titles: 'vehicles',
      area: 'Enterprise',
      about: 'Cars of the company.',
      naturalKey: ['plate'],
      fields: { id: id(), plate: name('Number plate.', { required: true, create: 'required' }) },
    })
    const extendedDocument = openapiDocument(undefined, { resources: [...resources, vehicles] })
    assert.deepEqual(
      Object.keys(extendedDocument.paths).filter((path) => path.includes('vehicles')),
      ['/v1/vehicles', '/v1/vehicles/{item_id}'],
    )
    assert.equal(extendedDocument.paths['/v1/vehicles']?.post?.operationId, 'createVehicle')
    assert.deepEqual(extendedDocument.components.schemas.VehicleCreate?.required, ['plate'])
  })
})
