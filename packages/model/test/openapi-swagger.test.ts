import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openapiDocument } from '../src/openapi/openapi.ts'
import { swaggerDocument } from '../src/openapi/swagger.ts'

const openapi = openapiDocument({
  operations: { getHealth: { answers: { 200: { request: 'GET /v1/health', value: { status: 'ok' } } } } },
  responses: {},
})
// biome-ignore lint/suspicious/noExplicitAny: the test reads arbitrary parts of the document
const swagger = swaggerDocument(openapi) as any

describe('the Swagger document', () => {
  it('declares Swagger 2.0 and has the base path and version of the OpenAPI document', () => {
    assert.equal(swagger.swagger, '2.0')
    assert.equal(swagger.basePath, '/api')
    assert.equal(swagger.info.version, '1.0.0')
  })

  it('has the operations of the OpenAPI document, with the same ids and statuses', () => {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const operationsOf = (paths: any) =>
      Object.entries(paths).flatMap(([path, item]) =>
        // biome-ignore lint/suspicious/noExplicitAny: see above
        Object.entries(item as any).map(([method, { operationId, responses }]: any) => [
          path,
          method,
          operationId,
          Object.keys(responses),
        ]),
      )
    assert.deepEqual(operationsOf(swagger.paths), operationsOf(openapi.paths))
  })

  it('marks nullable fields with x-nullable', () => {
    const { id, status } = swagger.definitions.Employee.properties
    assert.deepEqual([id.type, id['x-nullable']], ['integer', true])
    assert.deepEqual([status.type, status['x-nullable']], ['string', undefined])
    assert.deepEqual(swagger.definitions.Employee.required, ['status', 'alumni'])
  })

  it('requires a token in the Authorization header only for operations that create records', () => {
    const { description: _, ...scheme } = swagger.securityDefinitions.writeToken
    assert.deepEqual(scheme, { type: 'apiKey', in: 'header', name: 'Authorization' })
    assert.deepEqual(swagger.paths['/v1/leave'].post.security, [{ writeToken: [] }])
    assert.deepEqual(swagger.paths['/v1/leave'].get.security, [])
  })

  it('has the same constraints for parameters and bodies as the OpenAPI document', () => {
    const [limit] = swagger.paths['/v1/employees'].get.parameters
    const { description: _, ...constraints } = limit
    assert.deepEqual(constraints, {
      name: 'limit',
      in: 'query',
      required: false,
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    })
    const [keyParameter, body] = swagger.paths['/v1/leave'].post.parameters
    assert.deepEqual([keyParameter.name, keyParameter.in, keyParameter.required], ['Idempotency-Key', 'header', false])
    assert.deepEqual(
      [body.in, body.required, body.schema],
      ['body', true, { $ref: '#/definitions/LeaveRequestCreate' }],
    )
    assert.equal(swagger.definitions.LeaveRequestCreate.additionalProperties, false)
    assert.equal(swagger.definitions.LeaveRequestCreate.properties.status.default, 'pending')
    assert.equal(swagger.definitions.LeaveRequestCreate.properties.reason.maxLength, 20_000)
  })

  it('declares comma-separated list parameters and nullable related records', () => {
    const { parameters } = swagger.paths['/v1/jobs'].get
    const { description: _, ...expand } = parameters.find(({ name }: { name: string }) => name === 'expand')
    assert.deepEqual(expand, {
      name: 'expand',
      in: 'query',
      required: false,
      type: 'array',
      items: { type: 'string', enum: ['department', 'hiring_manager'] },
      collectionFormat: 'csv',
    })
    const { properties } = swagger.definitions.JobOpening
    const { description: __, ...department } = properties.department
    assert.deepEqual(department, { allOf: [{ $ref: '#/definitions/Department' }], 'x-nullable': true })
    assert.deepEqual(swagger.definitions.Application.properties.job, { $ref: '#/definitions/JobOpening' })
  })

  it('has the headers and one example of each response', () => {
    const response = swagger.paths['/v1/health'].get.responses[200]
    assert.equal(response.headers['X-Request-Id'].type, 'string')
    assert.deepEqual(response.examples, { 'application/json': { status: 'ok' } })
    assert.equal(swagger.responses.Unavailable.headers['Retry-After'].type, 'integer')
  })

  it('uses no keyword that Swagger 2.0 lacks', () => {
    const text = JSON.stringify({ ...swagger, info: undefined })
    assert.doesNotMatch(
      text,
      /#\/components\/|"contentMediaType":|"type":\[|"requestBody":|"links":\{"\w+":\{"operationId"|"content":|"anyOf":|"style":|"explode":/,
    )
  })
})
