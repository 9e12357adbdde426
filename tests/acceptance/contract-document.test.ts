// Compares the served interface descriptions with the operations, fields and limits of the interface.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, fieldsOf, type Resource, relationsOf, resources, writableFieldsOf } from '../contract/contract.ts'
import { get, hostUrl, object, type Row } from './http.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  nullable?: boolean
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: unknown
  maxLength?: number
  minimum?: number
  maximum?: number
  default?: unknown
}
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  style?: string
  explode?: boolean
  schema: Schema
}
type Operation = {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
  security?: Row[]
}
type Document = {
  openapi: string
  info: { version: string; title: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  security?: Row[]
  components: { securitySchemes: Record<string, { type: string; scheme?: string }> }
}

let reading: Promise<Document> | undefined
function read(): Promise<Document> {
  reading ??= get('/openapi.json').then((answer) => object(answer) as unknown as Document)
  return reading
}

function resolved<T extends { $ref?: string }>(document: Document, value: T): T {
  if (!value.$ref) return value
  const steps = value.$ref.replace(/^#\//, '').split('/')
  const target = steps.reduce<unknown>(
    (at, step) => (at as Row)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  assert.ok(target, `${value.$ref} leads nowhere`)
  return resolved(document, target as T)
}

/** The JSON types a schema admits, null among them. */
function typesOf(document: Document, schema: Schema): string[] {
  const plain = resolved(document, schema)
  const choices = plain.anyOf ?? plain.oneOf
  if (choices) return choices.flatMap((choice) => typesOf(document, choice)).toSorted()
  const types = [plain.type ?? []].flat()
  return (plain.nullable ? [...types, 'null'] : types).toSorted()
}

async function operation(path: string, method: string): Promise<{ document: Document; operation: Operation }> {
  const document = await read()
  const found = document.paths[path]?.[method]
  assert.ok(found, `${method} ${path} is not described`)
  return { document, operation: found }
}

function schemaOf(document: Document, { responses }: Operation, status: string): Schema {
  const response = responses[status]
  assert.ok(response, `status ${status} is not described`)
  const schema = resolved(document, response).content?.['application/json']?.schema
  assert.ok(schema, `status ${status} has no JSON schema`)
  return resolved(document, schema)
}

function property(document: Document, schema: Schema, name: string): Schema {
  const found = schema.properties?.[name]
  assert.ok(found, `${name} is not described`)
  return resolved(document, found)
}

const expectedPaths = Object.fromEntries([
  ['/', ['get']],
  ['/v1/health', ['get']],
  ...resources.flatMap((resource) => [
    [`/v1/${resource}`, creatable.includes(resource) ? ['get', 'post'] : ['get']],
    [`/v1/${resource}/{item_id}`, ['get']],
  ]),
]) as Record<string, string[]>

const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

function operationsOf(paths: Record<string, Row>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.keys(item)
        .filter((key) => verbs.includes(key))
        .toSorted(),
    ]),
  )
}

test('the description is OpenAPI, of version 1.0.0, with the base address as its server', async () => {
  const document = await read()
  assert.match(document.openapi, /^3\./)
  assert.equal(document.info.version, '1.0.0')
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ['/api'],
  )
})

test('the description holds every operation of the interface at its exact path', async () => {
  const described = operationsOf((await read()).paths)
  for (const [path, methods] of Object.entries(expectedPaths)) assert.deepEqual(described[path], methods, path)
})

test('no write but the creates is described', async () => {
  for (const [path, methods] of Object.entries(operationsOf((await read()).paths))) {
    const writes = methods.filter((method) => method !== 'get')
    assert.deepEqual(writes, creatable.some((resource) => path === `/v1/${resource}`) ? ['post'] : [], path)
  }
})

test('every reference in the description leads somewhere', async () => {
  const document = await read()
  const text = JSON.stringify(document)
  for (const [, ref] of text.matchAll(/"\$ref":"([^"]+)"/g)) resolved(document, { $ref: ref as string })
})

test('creates need a bearer token, reads need nothing', async () => {
  const document = await read()
  for (const [path, methods] of Object.entries(expectedPaths)) {
    for (const method of methods) {
      const security = document.paths[path]?.[method]?.security ?? document.security ?? []
      const schemes = security
        .flatMap((each) => Object.keys(each))
        .map((name) => document.components.securitySchemes[name])
      if (method === 'get') assert.deepEqual(schemes, [], path)
      else
        assert.deepEqual(
          schemes.map((scheme) => [scheme?.type, scheme?.scheme?.toLowerCase()]),
          [['http', 'bearer']],
          path,
        )
    }
  }
})

for (const resource of resources) {
  test(`the list of ${resource} describes limit, offset, q and its filters`, async () => {
    const { document, operation: list } = await operation(`/v1/${resource}`, 'get')
    const parameters = (list.parameters ?? []).map((each) => resolved(document, each))
    const named = Object.fromEntries(parameters.filter((each) => each.in === 'query').map((each) => [each.name, each]))
    const { limit, offset, q } = named
    assert.ok(limit && offset && q)
    for (const each of [limit, offset, q]) assert.ok(!each.required, `${each.name} is optional`)
    const { type, default: standard, minimum, maximum } = resolved(document, limit.schema)
    assert.deepEqual([type, standard, minimum, maximum], ['integer', 50, 1, 200])
    const from = resolved(document, offset.schema)
    assert.deepEqual([from.type, from.default, from.minimum, from.maximum], ['integer', 0, 0, undefined])
    assert.ok(typesOf(document, q.schema).includes('string'))
    assert.equal(resolved(document, q.schema).maxLength, 200)
    for (const { field, kind, filter } of fieldsOf(resource).filter(({ kind }) => kind !== 'id')) {
      assert.equal(named[field] !== undefined, filter, `${field} (${kind}) is described as a filter`)
      assert.ok(!named[field]?.required)
    }
  })

  test(`the list of ${resource} describes its answer and its refusal`, async () => {
    const { document, operation: list } = await operation(`/v1/${resource}`, 'get')
    const collection = schemaOf(document, list, '200')
    assert.deepEqual(collection.required?.toSorted(), ['data', 'meta'])
    const meta = property(document, collection, 'meta')
    assert.deepEqual(Object.keys(meta.properties ?? {}), ['total', 'limit', 'offset'])
    assert.deepEqual(meta.required?.toSorted(), ['limit', 'offset', 'total'])
    for (const name of ['total', 'limit', 'offset']) {
      assert.deepEqual(typesOf(document, property(document, meta, name)), ['integer'])
    }
    expectDetailSchema(document, schemaOf(document, list, '422'))
  })

  test(`a record of ${resource} is described field by field, in order, with type, null and required, then its related records`, async () => {
    const { document, operation: one } = await operation(`/v1/${resource}/{item_id}`, 'get')
    const { document: _, operation: list } = await operation(`/v1/${resource}`, 'get')
    const collection = schemaOf(document, list, '200')
    const item = resolved(document, property(document, collection, 'data').items ?? {})
    for (const schema of [schemaOf(document, one, '200'), item]) {
      const fields = fieldsOf(resource)
      assert.deepEqual(Object.keys(schema.properties ?? {}), membersOf(resource))
      assert.deepEqual(
        schema.required ?? [],
        fields.filter(({ nullable }) => !nullable).map(({ field }) => field),
      )
      for (const { field, type, nullable } of fields) {
        const described = property(document, schema, field)
        assert.deepEqual(typesOf(document, described), nullable ? ['null', type].toSorted() : [type], field)
        assert.equal(described.enum, undefined, `${field} stays open`)
      }
    }
  })

  test(`list and get of ${resource} publish the names that fields and expand take`, async () => {
    for (const path of [`/v1/${resource}`, `/v1/${resource}/{item_id}`]) {
      const { document, operation: one } = await operation(path, 'get')
      const namesOf = (name: string) => {
        const parameter = (one.parameters ?? [])
          .map((each) => resolved(document, each))
          .find((each) => each.in === 'query' && each.name === name)
        if (parameter === undefined) return undefined
        assert.deepEqual([parameter.required, parameter.style, parameter.explode], [false, 'form', false])
        return resolved(document, parameter.schema).items?.enum
      }
      const relations = relationsOf(resource).map(({ name }) => name)
      assert.deepEqual(
        namesOf('fields'),
        fieldsOf(resource).map(({ field }) => field),
      )
      assert.deepEqual(namesOf('expand'), relations.length === 0 ? undefined : relations)
    }
  })

  test(`list and count of ${resource} publish the names that sort and by take, and take each of them`, async () => {
    for (const [path, name, required] of [
      [`/v1/${resource}`, 'sort', false],
      [`/v1/counts/${resource}`, 'by', true],
    ] as const) {
      const { document, operation: one } = await operation(path, 'get')
      const parameter = (one.parameters ?? [])
        .map((each) => resolved(document, each))
        .find((each) => each.in === 'query' && each.name === name)
      assert.deepEqual([parameter?.required, parameter?.style, parameter?.explode], [required, 'form', false])
      const values = resolved(document, parameter?.schema ?? {}).items?.enum ?? []
      assert.ok(values.length > 0, path)
      for (const value of values) {
        const answer = await get(`${path}?${name}=${encodeURIComponent(String(value))}&limit=1`)
        assert.equal(answer.status, 200, `${path} ${name} ${value}`)
      }
    }
  })

  test(`a related record of ${resource} is described like the record itself, and is never required`, async () => {
    const { document, operation: one } = await operation(`/v1/${resource}/{item_id}`, 'get')
    const schema = schemaOf(document, one, '200')
    for (const { name, field, target } of relationsOf(resource)) {
      const described = schema.properties?.[name] ?? {}
      const nullable = fieldsOf(resource).find((each) => each.field === field)?.nullable
      const [record = described] = described.anyOf ?? []
      assert.deepEqual(Object.keys(resolved(document, record).properties ?? {}), membersOf(target), name)
      assert.equal(typesOf(document, described).includes('null'), nullable, name)
    }
  })

  test(`a record of ${resource} is addressed by item_id, a string, and may be absent or refused`, async () => {
    const { document, operation: one } = await operation(`/v1/${resource}/{item_id}`, 'get')
    const parameter = (one.parameters ?? [])
      .map((each) => resolved(document, each))
      .find(({ name }) => name === 'item_id')
    assert.deepEqual([parameter?.in, parameter?.required], ['path', true])
    assert.deepEqual(typesOf(document, parameter?.schema ?? {}), ['string'])
    expectEnvelopeSchema(document, schemaOf(document, one, '404'))
    expectDetailSchema(document, schemaOf(document, one, '422'))
  })
}

for (const resource of creatable) {
  test(`the create body of ${resource} is described field by field and closed to others`, async () => {
    const { document, operation: create } = await operation(`/v1/${resource}`, 'post')
    assert.equal(create.requestBody?.required, true)
    const schema = resolved(document, create.requestBody?.content['application/json']?.schema ?? {})
    const fields = writableFieldsOf(resource)
    assert.deepEqual(
      Object.keys(schema.properties ?? {}),
      fields.map(({ field }) => field),
    )
    assert.deepEqual(
      schema.required ?? [],
      fields.filter((field) => field.create === 'required').map(({ field }) => field),
    )
    assert.equal(schema.additionalProperties, false)
    for (const { field, type, create: mode } of fields) {
      const described = property(document, schema, field)
      assert.deepEqual(typesOf(document, described), mode === 'optional' ? ['null', type].toSorted() : [type], field)
      assert.equal(described.enum, undefined, `${field} stays open`)
    }
  })

  test(`the create body of ${resource} publishes the lengths that are enforced`, async () => {
    const { document, operation: create } = await operation(`/v1/${resource}`, 'post')
    const schema = resolved(document, create.requestBody?.content['application/json']?.schema ?? {})
    for (const { field, maxLength: longest } of writableFieldsOf(resource)) {
      const described = property(document, schema, field)
      const lengths = [described, ...(described.anyOf ?? described.oneOf ?? [])].map(({ maxLength }) => maxLength)
      assert.ok(lengths.includes(longest), `${field} publishes ${longest}`)
    }
  })

  test(`a create of ${resource} describes 201, 401, 422 and 503`, async () => {
    const { document, operation: create } = await operation(`/v1/${resource}`, 'post')
    assert.deepEqual(Object.keys(schemaOf(document, create, '201').properties ?? {}), membersOf(resource))
    for (const status of ['401', '422', '503']) expectEnvelopeSchema(document, schemaOf(document, create, status))
  })
}

function membersOf(resource: Resource): string[] {
  return [...fieldsOf(resource).map(({ field }) => field), ...relationsOf(resource).map(({ name }) => name)]
}

function expectEnvelopeSchema(document: Document, schema: Schema): void {
  assert.deepEqual(schema.required, ['error'])
  const error = property(document, schema, 'error')
  assert.deepEqual(error.required?.toSorted(), ['code', 'message'])
  assert.deepEqual(typesOf(document, property(document, error, 'code')), ['string'])
  assert.deepEqual(typesOf(document, property(document, error, 'message')), ['string'])
  assert.deepEqual(typesOf(document, property(document, error, 'details')), ['object'])
}

function expectDetailSchema(document: Document, schema: Schema): void {
  const entry = resolved(document, property(document, schema, 'detail').items ?? {})
  assert.deepEqual(entry.required?.toSorted(), ['loc', 'msg', 'type'])
  assert.deepEqual(typesOf(document, property(document, entry, 'msg')), ['string'])
  assert.deepEqual(typesOf(document, property(document, entry, 'type')), ['string'])
  const loc = property(document, entry, 'loc')
  assert.deepEqual(typesOf(document, resolved(document, loc.items ?? {})), ['integer', 'string'])
}

test('the health answer is described with its four required fields', async () => {
  const { document, operation: health } = await operation('/v1/health', 'get')
  const schema = schemaOf(document, health, '200')
  const types = { status: 'string', product: 'string', version: 'string', writes_enabled: 'boolean' }
  assert.deepEqual(schema.required?.toSorted(), Object.keys(types).toSorted())
  for (const [name, type] of Object.entries(types))
    assert.deepEqual(typesOf(document, property(document, schema, name)), [type])
})

test('the compatibility description is Swagger 2.0 and holds the same operations', async () => {
  const document = object(await get(`${hostUrl}/swagger.json`))
  assert.equal(document.swagger, '2.0')
  assert.equal((document.info as Row).version, '1.0.0')
  assert.equal(document.basePath, '/api')
  const described = operationsOf(document.paths as Record<string, Row>)
  for (const [path, methods] of Object.entries(expectedPaths)) assert.deepEqual(described[path], methods, path)
})

test('the interactive docs are a page', async () => {
  for (const path of ['/docs', '/docs/']) {
    const answer = await get(path)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(answer.text, /<html/i)
  }
})

test('the docs page loads nothing from another host', async () => {
  const { text } = await get('/docs')
  const loaded = [...text.matchAll(/(?:src|href)="((?:https?:)?\/\/[^"]+)"/g)].map(([, url]) => url)
  assert.deepEqual(loaded, [])
})
