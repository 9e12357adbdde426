/** The compatibility description says the same as the description, in the words of Swagger 2.0. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openapiDocument } from '../src/derive/openapi.ts'
import { swaggerDocument } from '../src/derive/swagger.ts'

const openapi = openapiDocument({
  operations: { getHealth: { answers: { 200: { request: 'GET /v1/health', value: { status: 'ok' } } } } },
  responses: {},
})
// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document at will
const swagger = swaggerDocument(openapi) as any

describe('the compatibility description', () => {
  it('is Swagger 2.0 under the same base path and version', () => {
    assert.equal(swagger.swagger, '2.0')
    assert.equal(swagger.basePath, '/api')
    assert.equal(swagger.info.version, '1.0.0')
  })

  it('holds the same operations with the same names and statuses', () => {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const facts = (paths: any) =>
      Object.entries(paths).flatMap(([path, item]) =>
        // biome-ignore lint/suspicious/noExplicitAny: see above
        Object.entries(item as any).map(([method, { operationId, responses }]: any) => [
          path,
          method,
          operationId,
          Object.keys(responses),
        ]),
      )
    assert.deepEqual(facts(swagger.paths), facts(openapi.paths))
    assert.equal(facts(swagger.paths).length, 44)
  })

  it('says of a field that it may be null by the extension generators know', () => {
    const { id, status } = swagger.definitions.Employee.properties
    assert.deepEqual([id.type, id['x-nullable']], ['integer', true])
    assert.deepEqual([status.type, status['x-nullable']], ['string', undefined])
    assert.deepEqual(swagger.definitions.Employee.required, ['status', 'alumni'])
  })

  it('has the token in the Authorization header, and asks for it on creates alone', () => {
    const { description: _, ...scheme } = swagger.securityDefinitions.writeToken
    assert.deepEqual(scheme, { type: 'apiKey', in: 'header', name: 'Authorization' })
    assert.deepEqual(swagger.paths['/v1/leave'].post.security, [{ writeToken: [] }])
    assert.deepEqual(swagger.paths['/v1/leave'].get.security, [])
  })

  it('carries the rules of parameters and bodies', () => {
    const [limit] = swagger.paths['/v1/employees'].get.parameters
    const { description: _, ...rules } = limit
    assert.deepEqual(rules, {
      name: 'limit',
      in: 'query',
      required: false,
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    })
    const [key, body] = swagger.paths['/v1/leave'].post.parameters
    assert.deepEqual([key.name, key.in, key.required], ['Idempotency-Key', 'header', false])
    assert.deepEqual(
      [body.in, body.required, body.schema],
      ['body', true, { $ref: '#/definitions/LeaveRequestCreate' }],
    )
    assert.equal(swagger.definitions.LeaveRequestCreate.additionalProperties, false)
    assert.equal(swagger.definitions.LeaveRequestCreate.properties.status.default, 'pending')
    assert.equal(swagger.definitions.LeaveRequestCreate.properties.reason.maxLength, 20_000)
  })

  it('writes a list of names with commas, and a related record that may be null', () => {
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

  it('keeps headers and one example of an answer', () => {
    const answer = swagger.paths['/v1/health'].get.responses[200]
    assert.equal(answer.headers['X-Request-Id'].type, 'string')
    assert.deepEqual(answer.examples, { 'application/json': { status: 'ok' } })
    assert.equal(swagger.responses.Unavailable.headers['Retry-After'].type, 'integer')
  })

  it('uses no keyword that came with later formats', () => {
    const text = JSON.stringify({ ...swagger, info: undefined })
    assert.doesNotMatch(
      text,
      /#\/components\/|"contentMediaType":|"type":\[|"requestBody":|"links":|"content":|"anyOf":|"style":|"explode":/,
    )
  })
})
