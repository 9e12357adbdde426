import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import type { Lockfile } from '../lockfile.ts'
import { consolePackages, productionPackages, readLockfile } from '../lockfile.ts'
import { billOfMaterials } from '../sbom.ts'

interface Component {
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { alg: string; content: string }[]
}

interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
}

const lockfile = readLockfile(new URL('../../..', import.meta.url))
const bill = billOfMaterials(lockfile) as Bill

/**
 * The parts of the CycloneDX 1.6 schema that the bill of materials uses. Like the full schema, they forbid undeclared
 * properties.
 */
const component = {
  type: 'object',
  required: ['type', 'name', 'version', 'bom-ref', 'purl', 'licenses'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library'] },
    'bom-ref': { type: 'string', minLength: 1 },
    group: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string', maxLength: 1024 },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        additionalProperties: false,
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[a-fA-F0-9]{128}$' } },
      },
    },
    licenses: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        oneOf: [
          {
            type: 'object',
            required: ['license'],
            additionalProperties: false,
            properties: {
              license: {
                type: 'object',
                required: ['id'],
                additionalProperties: false,
                // The licence must be one SPDX identifier, never an expression.
                properties: { id: { type: 'string', pattern: '^[A-Za-z0-9.-]+$' } },
              },
            },
          },
          {
            type: 'object',
            required: ['expression'],
            additionalProperties: false,
            properties: { expression: { type: 'string', pattern: ' (OR|AND|WITH) ' } },
          },
        ],
      },
    },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[a-z0-9._-]+/)?[a-z0-9._-]+@[0-9][0-9A-Za-z.+-]*$' },
  },
}

const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { type: 'integer', minimum: 1 },
    metadata: { type: 'object', required: ['component'], additionalProperties: false, properties: { component } },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref', 'dependsOn'],
        additionalProperties: false,
        properties: {
          ref: { type: 'string', minLength: 1 },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } },
        },
      },
    },
    compositions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['aggregate', 'assemblies'],
        additionalProperties: false,
        properties: {
          aggregate: { enum: ['complete', 'incomplete', 'unknown'] },
          assemblies: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
}

describe('the bill of materials', () => {
  const isValid = new Ajv({ strict: true, allErrors: true }).compile(schema)

  it('matches the relevant part of the CycloneDX schema', () => {
    assert.ok(isValid(bill), JSON.stringify(isValid.errors))
  })

  it('does not match the schema if a licence, hash or property is wrong', () => {
    const [first, ...others] = bill.components
    for (const change of [
      { licenses: [{ license: { id: 'MIT OR ISC' } }] },
      { hashes: [{ alg: 'SHA-512', content: 'sha512-base64==' }] },
      { licence: 'MIT' },
    ])
      assert.equal(
        isValid({ ...bill, components: [{ ...first, ...change }, ...others] }),
        false,
        JSON.stringify(change),
      )
  })

  it('lists every package in production and in the console with version and hash, and the package of the documentation script', () => {
    const listed = bill.components.map(
      ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
    )
    const expected = new Set(
      [...productionPackages(lockfile).values(), ...consolePackages(lockfile).values()].map(
        ({ name, version }) => `${name}@${version}`,
      ),
    )
    const script = lockfile.packages['node_modules/@scalar/fastify-api-reference']?.version
    assert.deepEqual(listed.sort(), [...expected, `@scalar/fastify-api-reference@${script}`].sort())
    assert.ok(listed.includes(`pg@${lockfile.packages['node_modules/pg']?.version}`))
    for (const { group, name, hashes } of bill.components)
      assert.equal(hashes?.length, group === '@muster' ? undefined : 1, name)
  })

  it('contains the hashes of the lockfile in hexadecimal', () => {
    const pg = bill.components.find(({ name }) => name === 'pg')
    const integrity = Buffer.from(pg?.hashes?.[0]?.content ?? '', 'hex').toString('base64')
    assert.equal(`sha512-${integrity}`, lockfile.packages['node_modules/pg']?.integrity)
  })

  it('lists the dependencies of every component, and every dependency is a listed component', () => {
    const refs = [bill.metadata.component, ...bill.components].map((each) => each['bom-ref'])
    assert.equal(new Set(refs).size, refs.length)
    assert.deepEqual(bill.dependencies.map(({ ref }) => ref).sort(), [...refs].sort())
    for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) assert.ok(refs.includes(ref), ref)
    const fastify = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/fastify@'))
    assert.ok(fastify?.dependsOn.some((ref) => ref.startsWith('pkg:npm/find-my-way@')))
    const console = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/%40muster/console@'))
    assert.ok(console?.dependsOn.some((ref) => ref.startsWith('pkg:npm/react@')))
  })

  it('lists one version of a package once even if it is installed twice', () => {
    const { 'node_modules/split2': split2 } = lockfile.packages
    const packages = { ...lockfile.packages, 'node_modules/pgpass/node_modules/split2': split2 }
    const withSecondCopy = billOfMaterials({ ...lockfile, packages } as Lockfile) as Bill
    assert.deepEqual(withSecondCopy.components.length, bill.components.length)
  })

  it('is the same every time it is created', () => {
    assert.equal(JSON.stringify(billOfMaterials(lockfile)), JSON.stringify(bill))
  })
})
