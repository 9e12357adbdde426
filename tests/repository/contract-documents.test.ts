import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenapiDocument } from '@muster/model'
import { swaggerDocument } from '@muster/model'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { outdatedFiles } from '../../tools/contract/files.ts'

const root = new URL('../../', import.meta.url)
const readDocument = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`packages/model/contract/${name}`, root), 'utf8')) as Record<string, unknown>

const openapi = readDocument('openapi.json') as unknown as OpenapiDocument
const documents = { 'openapi.json': openapi, 'swagger.json': swaggerDocument(openapi) }
const runProgram = promisify(execFile)

/** Finds every place in the document that has a schema with examples. */
const findExampleSets = (
  node: unknown,
  pointer = '#',
): { pointer: string; schemaPointer: string; values: [string, unknown][] }[] => {
  if (typeof node !== 'object' || node === null) return []
  const { schema, examples } = node as { schema?: unknown; examples?: Record<string, { value: unknown }> }
  const ownSets =
    schema === undefined || examples === undefined
      ? []
      : [
          {
            pointer,
            schemaPointer: `${pointer}/schema`,
            values: Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value]),
          },
        ]
  const nestedSets = Object.entries(node).flatMap(([key, value]) =>
    key === 'examples' || key === 'schema'
      ? []
      : findExampleSets(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [...ownSets, ...nestedSets]
}

describe('the API documents', () => {
  for (const [name, document] of Object.entries(documents)) {
    it(`are valid OpenAPI or Swagger documents: ${name}`, async () => {
      const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
      assert.deepEqual([valid, errors], [true, undefined])
    })

    it(`pass the Redocly linter: ${name}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-documents-'))
      try {
        const file = join(folder, name)
        await writeFile(file, JSON.stringify(document))
        const lintArguments = ['lint', '--config', '.redocly.yaml', file]
        await runProgram(process.execPath, ['node_modules/@redocly/cli/bin/cli.js', ...lintArguments], {
          cwd: fileURLToPath(root),
          env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        })
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }

  it('are reported as outdated if the generator would write a different text', async () => {
    const text = readFileSync(new URL('packages/model/contract/openapi.json', root), 'utf8')
    assert.deepEqual(await outdatedFiles(new Map([['openapi.json', text]])), [])
    assert.deepEqual(await outdatedFiles(new Map([['openapi.json', `${text} `]])), ['openapi.json'])
    assert.deepEqual(await outdatedFiles(new Map([['no-such-file.json', text]])), ['no-such-file.json'])
  })
})

describe('the examples of the OpenAPI document', () => {
  const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true, formats: { int64: true, double: true } })
  // Ajv resolves references within the document, so its top-level keys must be allowed as schema keywords.
  ajv.addVocabulary(Object.keys(openapi))
  ajv.addSchema(openapi, 'openapi.json')

  it('conform to their schemas', () => {
    const allExampleSets = findExampleSets(openapi)
    for (const { schemaPointer, values } of allExampleSets) {
      const validate = ajv.compile({ $ref: `openapi.json${schemaPointer}` })
      for (const [name, value] of values)
        assert.ok(validate(value), `${schemaPointer} ${name}: ${ajv.errorsText(validate.errors)}`)
    }
    assert.ok(allExampleSets.length > 40, `found only ${allExampleSets.length}`)
  })

  it('contain exactly the declared fields if they are records', () => {
    for (const [path, { get }] of Object.entries(openapi.paths)) {
      if (!path.endsWith('{item_id}') || path.startsWith('/v1/career-visibility/')) continue
      const { schema, examples } = get?.responses[200]?.content?.['application/json'] ?? {}
      const { properties = {} } = openapi.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? {}
      // Properties declared with $ref or anyOf are related records, which a response contains only with `expand`.
      const fields = Object.entries(properties).filter(([, { $ref, anyOf }]) => ($ref ?? anyOf) === undefined)
      assert.deepEqual(
        Object.keys(examples?.record?.value as object),
        fields.map(([name]) => name),
        path,
      )
    }
  })

  it('exist for every response that has a body, except status 500', () => {
    const missingExamples = Object.values(openapi.paths).flatMap((pathItem) =>
      Object.values(pathItem).flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, response]) => {
          const { content } = openapi.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
          return content?.['application/json']?.examples === undefined && !['304', '500'].includes(status)
            ? [`${operationId} ${status}`]
            : []
        }),
      ),
    )
    assert.deepEqual(missingExamples, [])
  })
})
