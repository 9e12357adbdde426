/** Runs each step of a sequence on the service and on the model, and compares the results. */
import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../contract/contract.ts'
import { uniqueFieldOf, writableFieldsOf } from '../../contract/contract.ts'
import type { Case, Deviation, Expectation } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import type { PoolRecord } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { expectedRecord } from '../record-model.ts'
import type { Request } from '../request.ts'
import { curlCommand, getRequest, postRequest } from '../request.ts'
import { apiPath } from '../sources/source.ts'
import type { Model } from './model.ts'
import { openModel } from './model.ts'
import type { Step, StepError } from './step.ts'

export interface SequenceResult {
  readonly deviations: readonly Deviation[]
  /** Number of requests sent. */
  readonly requests: number
  /** One line per request: the step and a curl command. */
  readonly trace: readonly string[]
}

export const runSequence = async (fuzzer: Fuzzer, steps: readonly Step[]): Promise<SequenceResult> => {
  const model = openModel(fuzzer.pools)
  const trace: string[] = []
  for (const step of steps) {
    const plannedStep = planStep(fuzzer, model, step)
    if (plannedStep === undefined) continue
    const { response, deviations } = await fuzzer.attempt(plannedStep.testCase)
    trace.push(`${step.do} ${step.resource}: ${curlCommand(fuzzer.client.origin, plannedStep.testCase.request)}`)
    const allDeviations = [
      ...deviations,
      ...(response === undefined ? [] : plannedStep.compare(JSON.parse(response.text))),
    ]
    if (allDeviations.length > 0) return { deviations: allDeviations, requests: trace.length, trace }
  }
  return { deviations: [], requests: trace.length, trace }
}

interface PlannedStep {
  readonly testCase: Case
  /** Updates the model and returns the differences between the response and the model. */
  compare(body: unknown): Deviation[]
}

const planStep = (fuzzer: Fuzzer, model: Model, step: Step): PlannedStep | undefined => {
  switch (step.do) {
    case 'create':
      return planCreate(fuzzer, model, step.resource, model.bodyFor(step.resource, step.pick, step.values))
    case 'create again':
      return planDuplicate(fuzzer, model, step)
    case 'create wrongly':
      return planInvalidCreate(fuzzer, model, step)
    case 'get':
      return planGet(fuzzer, step.resource, model.pick(step.resource, step.pick))
    case 'get nothing':
      return planGetMissing(fuzzer, model, step)
    case 'list':
      return planList(fuzzer, step.resource, model.filterFor(step.resource, step.pick), step)
    default:
      return planList(
        fuzzer,
        step.resource,
        { query: `q=${model.marker}`, records: model.recordsOf(step.resource) },
        { limit: 200, offset: 0 },
      )
  }
}

const noDeviations = (): Deviation[] => []

const makeCase = ({ id }: Operation, about: string, request: Request, expect: Expectation): Case => ({
  source: 'sequences',
  about,
  operation: id,
  request,
  expect,
})

const planCreate = (
  fuzzer: Fuzzer,
  model: Model,
  resource: Resource,
  body: Body | undefined,
): PlannedStep | undefined => {
  if (body === undefined) return undefined
  const operation = fuzzer.contract.operationOf('create', resource)
  const request = postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body))
  return {
    testCase: makeCase(operation, 'a create', request, { status: [201], record: expectedRecord(resource, body) }),
    compare(record) {
      const highestId = Math.max(0, ...model.recordsOf(resource).map(({ id }) => id))
      model.add(resource, record as PoolRecord)
      if ((record as PoolRecord).id > highestId) return []
      return [{ check: 'sequence', message: 'the new record does not have the highest id' }]
    },
  }
}

/** Creates a record with the unique value of an existing one, which the service must reject. */
const planDuplicate = (
  fuzzer: Fuzzer,
  model: Model,
  step: { resource: Resource; pick: number },
): PlannedStep | undefined => {
  const record = model.pick(step.resource, step.pick)
  const unique = uniqueFieldOf(step.resource)
  if (record === undefined || unique === undefined) return undefined
  const body = Object.fromEntries(
    writableFieldsOf(step.resource)
      .filter(({ field, create }) => create === 'required' || unique.uniqueWithin?.includes(field))
      .map(({ field }) => [field, record[field]]),
  )
  const operation = fuzzer.contract.operationOf('create', step.resource)
  const errors = [{ loc: ['body', unique.field], type: ['already_exists'] }]
  const request = postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body))
  return {
    testCase: makeCase(operation, 'a duplicate', request, { status: [422], errors, noOtherErrors: true }),
    compare: noDeviations,
  }
}

const planInvalidCreate = (
  fuzzer: Fuzzer,
  model: Model,
  step: { resource: Resource; pick: number; error: StepError },
): PlannedStep | undefined => {
  const body = model.bodyFor(step.resource, step.pick, {})
  if (body === undefined) return undefined
  const operation = fuzzer.contract.operationOf('create', step.resource)
  const { text: bodyText, loc } = makeInvalid(step.resource, body, step.error)
  return {
    testCase: makeCase(operation, step.error, postRequest(apiPath(fuzzer, operation.path), bodyText), {
      status: [422],
      errors: [{ loc }],
    }),
    compare: noDeviations,
  }
}

const makeInvalid = (resource: Resource, body: Body, error: StepError): { text: string; loc: string[] } => {
  const { field: required = '' } = writableFieldsOf(resource).find(({ create }) => create === 'required') ?? {}
  const reference = writableFieldsOf(resource).find(({ kind }) => kind === 'reference')?.field
  const withField = (field: string, value: unknown) => ({
    text: JSON.stringify({ ...body, [field]: value }),
    loc: ['body', field],
  })
  switch (error) {
    case 'unknown property':
      return withField('undeclared_property', null)
    case 'missing property':
      return withField(required, undefined)
    case 'wrong type':
      return withField(required, { a: 1 })
    case 'no such reference':
      return reference === undefined ? withField(required, []) : withField(reference, 2_000_000_000)
    default:
      return { text: `${JSON.stringify(body)}x`, loc: ['body'] }
  }
}

const planGet = (fuzzer: Fuzzer, resource: Resource, record: PoolRecord | undefined): PlannedStep | undefined => {
  if (record === undefined) return undefined
  const operation = fuzzer.contract.operationOf('get', resource)
  const request = getRequest(apiPath(fuzzer, operation.path.replace('{item_id}', String(record.id))))
  return {
    testCase: makeCase(operation, 'a record of the sequence', request, { status: [200] }),
    compare: (body) =>
      isDeepStrictEqual(body, record)
        ? []
        : [{ check: 'sequence', message: 'the record differs from the created one' }],
  }
}

/** Requests a record by an id so far above the ids of the sequence that no record can have it. */
const planGetMissing = (fuzzer: Fuzzer, model: Model, step: { resource: Resource; pick: number }): PlannedStep => {
  const operation = fuzzer.contract.operationOf('get', step.resource)
  const id = (model.pick(step.resource, step.pick)?.id ?? 1) + 1_000_000_000
  const request = getRequest(apiPath(fuzzer, operation.path.replace('{item_id}', String(id))))
  return { testCase: makeCase(operation, 'an unknown id', request, { status: [404] }), compare: noDeviations }
}

const planList = (
  fuzzer: Fuzzer,
  resource: Resource,
  filter: { query: string; records: readonly PoolRecord[] } | undefined,
  { limit, offset }: { limit: number; offset: number },
): PlannedStep | undefined => {
  if (filter === undefined) return undefined
  const operation = fuzzer.contract.operationOf('list', resource)
  const request = getRequest(`${apiPath(fuzzer, operation.path)}?${filter.query}&limit=${limit}&offset=${offset}`)
  const expectedPage = {
    data: filter.records.slice(offset, offset + limit),
    meta: { total: filter.records.length, limit, offset },
  }
  return {
    testCase: makeCase(operation, 'the records of the sequence', request, { status: [200] }),
    compare: (body) =>
      isDeepStrictEqual(body, expectedPage)
        ? []
        : [
            {
              check: 'sequence',
              message: `the list differs from the model: ${JSON.stringify(expectedPage).slice(0, 300)}`,
            },
          ],
  }
}
