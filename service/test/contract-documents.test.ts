/** The committed descriptions are valid, and every example in them is what its schema says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenapiDocument } from '@muster/model'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { outdatedFiles } from '../src/contract/files.ts'

const root = new URL('../../', import.meta.url)
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`contract/${name}`, root), 'utf8')) as Record<string, unknown>

const openapi = read('openapi.json') as unknown as OpenapiDocument
const run = promisify(execFile)

/** Every place in the document that holds a schema and examples of it. */
const exampleSets = (node: unknown, at = '#'): { at: string; schemaAt: string; values: [string, unknown][] }[] => {
  if (typeof node !== 'object' || node === null) return []
  const { schema, examples } = node as { schema?: unknown; examples?: Record<string, { value: unknown }> }
  const here =
    schema === undefined || examples === undefined
      ? []
      : [
          {
            at,
            schemaAt: `${at}/schema`,
            values: Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value]),
          },
        ]
  const below = Object.entries(node).flatMap(([key, value]) =>
    key === 'examples' || key === 'schema'
      ? []
      : exampleSets(value, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [...here, ...below]
}

describe('the committed descriptions', () => {
  for (const name of ['openapi.json', 'swagger.json']) {
    it(`are valid by the schema of their format: ${name}`, async () => {
      const { valid, errors } = await new Validator().validate(read(name))
      assert.deepEqual([valid, errors], [true, undefined])
    })

    it(`leave a linter nothing to remark on: ${name}`, async () => {
      const lint = ['lint', '--config', '.redocly.yaml', `contract/${name}`]
      await run(process.execPath, ['node_modules/@redocly/cli/bin/cli.js', ...lint], {
        cwd: fileURLToPath(root),
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
    })
  }

  it('are seen to be out of date when the code says something else', async () => {
    const text = readFileSync(new URL('contract/swagger.json', root), 'utf8')
    assert.deepEqual(await outdatedFiles(new Map([['swagger.json', text]])), [])
    assert.deepEqual(await outdatedFiles(new Map([['swagger.json', `${text} `]])), ['swagger.json'])
    assert.deepEqual(await outdatedFiles(new Map([['no-such-file.json', text]])), ['no-such-file.json'])
  })
})

describe('the examples of the description', () => {
  const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true, formats: { int64: true, double: true } })
  // The document around the schemas is no schema, but references lead through it.
  ajv.addVocabulary(Object.keys(openapi))
  ajv.addSchema(openapi, 'openapi.json')

  it('are what their schemas say', () => {
    const sets = exampleSets(openapi)
    for (const { schemaAt, values } of sets) {
      const validate = ajv.compile({ $ref: `openapi.json${schemaAt}` })
      for (const [name, value] of values)
        assert.ok(validate(value), `${schemaAt} ${name}: ${ajv.errorsText(validate.errors)}`)
    }
    assert.ok(sets.length > 40, `only ${sets.length} were found`)
  })

  it('of records hold every declared field and no other', () => {
    for (const [path, { get }] of Object.entries(openapi.paths)) {
      if (!path.endsWith('{item_id}')) continue
      const { schema, examples } = get?.responses[200]?.content?.['application/json'] ?? {}
      const { properties = {} } = openapi.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? {}
      // Related records are described by reference, and stand there only where they are asked for.
      const fields = Object.entries(properties).filter(([, { $ref, anyOf }]) => ($ref ?? anyOf) === undefined)
      assert.deepEqual(
        Object.keys(examples?.record?.value as object),
        fields.map(([name]) => name),
        path,
      )
    }
  })

  it('are there for every answer that has a body, but a failure of the service', () => {
    const lacking = Object.values(openapi.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, response]) => {
          const { content } = openapi.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
          return content?.['application/json']?.examples === undefined && !['304', '500'].includes(status)
            ? [`${operationId} ${status}`]
            : []
        }),
      ),
    )
    assert.deepEqual(lacking, [])
  })
})
