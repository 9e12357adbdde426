import type { Field, Resource } from '../../contract/contract.ts'
import { creatable, writableFieldsOf } from '../../contract/contract.ts'
import { minimalBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Attempt, Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { followLinks } from '../links.ts'
import type { PoolRecord } from '../pools.ts'
import { getRequest, postRequest } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'references'

export const references: Source = {
  name: sourceName,
  about: 'foreign keys to new records, to unknown ids and to records of other resources',
  async run(fuzzer) {
    for (let round = 0; round < rounds; round += 1) {
      const createdRecords = await createOneOfEach(fuzzer)
      await forEachInParallel(
        creatable.flatMap((resource) => listCases(fuzzer, createdRecords, resource)),
        (testCase) => fuzzer.run(testCase),
      )
      await forEachInParallel(referenceCases(fuzzer, createdRecords), (testCase) => fuzzer.run(testCase))
    }
  },
}

const rounds = 5

type CreatedRecords = ReadonlyMap<string, PoolRecord>

/** Creates one record of every creatable resource. Each refers to the records created before it. */
const createOneOfEach = async (fuzzer: Fuzzer): Promise<CreatedRecords> => {
  const createdRecords = new Map<string, PoolRecord>()
  for (const resource of creatable) {
    const operation = fuzzer.contract.operationOf('create', resource)
    const body = withReferences(
      fuzzer,
      resource,
      (target) => (createdRecords.get(target) ?? fuzzer.pools.recordsOf(target)[0])?.id,
    )
    const result = await fuzzer.run({
      source: sourceName,
      dependsOnRun: true,
      about: `a ${resource} that refers to new records`,
      operation: operation.id,
      request: postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body)),
      expect: { status: [201], record: referencesIn(body) },
    })
    await readBack(fuzzer, result)
    if (result.response?.status === 201) createdRecords.set(resource, JSON.parse(result.response.text) as PoolRecord)
  }
  return createdRecords
}

/** Reads the created record through the OpenAPI links and through the Location header. */
const readBack = async (fuzzer: Fuzzer, result: Attempt): Promise<void> => {
  const deviations = await followLinks(fuzzer)(result)
  const location = result.response?.headers.get('location')
  if (deviations.length > 0) await fuzzer.report(result.testCase, deviations)
  else fuzzer.results.countsOf(sourceName).passed += 1
  if (location === undefined || result.response === undefined) return
  const record = JSON.parse(result.response.text) as PoolRecord
  await fuzzer.run({
    source: sourceName,
    dependsOnRun: true,
    about: 'the Location header leads to the created record',
    request: getRequest(location),
    expect: { status: [200], record },
  })
}

const withReferences = (
  fuzzer: Fuzzer,
  resource: Resource,
  idOf: (target: Resource) => number | undefined,
): Record<string, unknown> => {
  // The first team of an organization can have no parent team.
  const ids = referencesOf(resource).flatMap(({ field, target, within }) => (within ? [] : [[field, idOf(target)]]))
  const presentIds = ids.filter(([, id]) => id !== undefined)
  return { ...minimalBody(fuzzer, fuzzer.contract.operationOf('create', resource)), ...Object.fromEntries(presentIds) }
}

const referencesIn = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'number'))

const referenceCases = (fuzzer: Fuzzer, createdRecords: CreatedRecords): Case[] =>
  creatable.flatMap((resource) =>
    referencesOf(resource).flatMap((reference) => fieldCases(fuzzer, createdRecords, reference)),
  )

type ReferenceField = Pick<Field, 'resource' | 'field' | 'within'> & { readonly target: Resource }

const referencesOf = (resource: Resource): ReferenceField[] =>
  writableFieldsOf(resource).flatMap(({ to, ...field }) => (to === undefined ? [] : [{ ...field, target: to }]))

/**
 * Sends ids of records of every other resource. Such an id is valid only if the target resource has a record with the
 * same id.
 */
const fieldCases = (
  fuzzer: Fuzzer,
  createdRecords: CreatedRecords,
  { resource, field, target, within }: ReferenceField,
): Case[] => {
  const operation = fuzzer.contract.operationOf('create', resource)
  const body = withReferences(
    fuzzer,
    resource,
    (other) => (createdRecords.get(other) ?? fuzzer.pools.recordsOf(other)[0])?.id,
  )
  const highestId = Math.max(...[...createdRecords.values()].map(({ id }) => id), 1_000_000)
  const makeCase = (about: string, id: number, expect: Case['expect']): Case => ({
    source: sourceName,
    dependsOnRun: true,
    about: `${resource}.${field}: ${about}`,
    operation: operation.id,
    request: postRequest(apiPath(fuzzer, operation.path), JSON.stringify({ ...body, [field]: id })),
    expect,
  })
  const notFound = { loc: ['body', field], type: ['reference_not_found'] }
  return [
    ...fuzzer.pools.resources
      .filter((other) => other !== target)
      .map((other) => {
        const id = Number((createdRecords.get(other) ?? fuzzer.pools.recordsOf(other).at(-1))?.id)
        return makeCase(`an id from ${other}`, id, { status: [201, 422], errors: [notFound] })
      }),
    makeCase('an unknown id', highestId + 1, { status: [422], errors: [notFound], noOtherErrors: true }),
    ...(within === undefined ? [] : withinCases({ fuzzer, createdRecords, target, within, makeCase, notFound })),
  ]
}

/**
 * The referenced record must have the same value in the field `within`, such as the organization of a team and its
 * parent. Only one record of this run has the value that the created records have there.
 */
const withinCases = ({ fuzzer, createdRecords, target, within, makeCase, notFound }: WithinOptions): Case[] => [
  makeCase(`a record with the same ${within}`, Number(createdRecords.get(target)?.id), { status: [201] }),
  ...fuzzer.pools
    .recordsOf(target)
    .slice(0, 10)
    .map(({ id }) =>
      makeCase(`a record with another ${within}`, id, { status: [422], errors: [notFound], noOtherErrors: true }),
    ),
]

interface WithinOptions {
  readonly fuzzer: Fuzzer
  readonly createdRecords: CreatedRecords
  readonly target: Resource
  readonly within: string
  makeCase(about: string, id: number, expect: Case['expect']): Case
  readonly notFound: { loc: string[]; type: string[] }
}

/** Only one record refers to each new record, so a list filtered by the new id must contain exactly one record. */
const listCases = (fuzzer: Fuzzer, createdRecords: CreatedRecords, resource: Resource): Case[] => {
  const listOperation = fuzzer.contract.operationOf('list', resource)
  return referencesOf(resource)
    .filter(
      ({ field, target }) =>
        createdRecords.has(target) && createdRecords.get(resource)?.[field] === createdRecords.get(target)?.id,
    )
    .map(({ field, target }) => ({
      source: sourceName,
      dependsOnRun: true,
      about: `${resource} by ${field}`,
      operation: listOperation.id,
      request: getRequest(`${apiPath(fuzzer, listOperation.path)}?${field}=${createdRecords.get(target)?.id}`),
      expect: { status: [200], rows: 1 },
    }))
}
