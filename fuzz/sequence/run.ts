/** In charge of walking through a sequence: does each step at the service and in the model, and compares the two. */
import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../acceptance/field-table.ts'
import { references } from '../../acceptance/rule-table.ts'
import type { Case, Deviation, Expectation } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'
import type { Row } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { expectedRecord } from '../record-model.ts'
import type { Request } from '../request.ts'
import { curlLine, read, write } from '../request.ts'
import { pathOf } from '../sources/source.ts'
import type { Model } from './model.ts'
import { openModel } from './model.ts'
import type { Step, StepFault } from './step.ts'

export interface Walked {
  readonly deviations: readonly Deviation[]
  /** Requests that were made. */
  readonly requests: number
  /** Each as a line for a shell, with what it was for. */
  readonly trace: readonly string[]
}

export const walk = async (machine: Machine, steps: readonly Step[]): Promise<Walked> => {
  const model = openModel(machine.pools)
  const trace: string[] = []
  for (const step of steps) {
    const planned = plan(machine, model, step)
    if (planned === undefined) continue
    const { answer, deviations } = await machine.attempt(planned.asked)
    trace.push(`${step.do} ${step.resource}: ${curlLine(machine.wire.host, planned.asked.request)}`)
    const found = [...deviations, ...(answer === undefined ? [] : planned.compare(JSON.parse(answer.text)))]
    if (found.length > 0) return { deviations: found, requests: trace.length, trace }
  }
  return { deviations: [], requests: trace.length, trace }
}

interface Planned {
  readonly asked: Case
  /** Brings the model up to date, and says where the answer is not what the model holds. */
  compare(body: unknown): Deviation[]
}

const plan = (machine: Machine, model: Model, step: Step): Planned | undefined => {
  switch (step.do) {
    case 'create':
      return create(machine, model, step.resource, model.bodyFor(step.resource, step.pick, step.values))
    case 'create again':
      return createAgain(machine, model, step)
    case 'create wrongly':
      return createWrongly(machine, model, step)
    case 'get':
      return get(machine, step.resource, model.pick(step.resource, step.pick))
    case 'get nothing':
      return getNothing(machine, model, step)
    case 'list':
      return list(machine, step.resource, model.scopeOf(step.resource, step.pick), step)
    default:
      return list(
        machine,
        step.resource,
        { query: `q=${model.mark}`, records: model.recordsOf(step.resource) },
        { limit: 200, offset: 0 },
      )
  }
}

const nothing = (): Deviation[] => []

const caseOf = ({ id }: Operation, about: string, request: Request, expect: Expectation): Case => ({
  source: 'sequences',
  about,
  operation: id,
  request,
  expect,
})

const create = (machine: Machine, model: Model, resource: Resource, body: Body | undefined): Planned | undefined => {
  if (body === undefined) return undefined
  const operation = machine.contract.verb('create', resource)
  const request = write(pathOf(machine, operation.path), JSON.stringify(body))
  return {
    asked: caseOf(operation, 'a create', request, { status: [201], record: expectedRecord(resource, body) }),
    compare(record) {
      const highest = Math.max(0, ...model.recordsOf(resource).map(({ id }) => id))
      model.add(resource, record as Row)
      if ((record as Row).id > highest) return []
      return [{ check: 'sequence', message: 'a later record has a lower id' }]
    },
  }
}

/** The same slug in the same place is taken. */
const createAgain = (
  machine: Machine,
  model: Model,
  step: { resource: Resource; pick: number },
): Planned | undefined => {
  const record = model.pick(step.resource, step.pick)
  if (record?.slug === undefined) return undefined
  const fields = ['organization_id', 'job_posting_id', 'career_site_id', 'locale', 'name', 'slug']
  const body = Object.fromEntries(fields.filter((field) => field in record).map((field) => [field, record[field]]))
  const operation = machine.contract.verb('create', step.resource)
  const faults = [{ loc: ['body', 'slug'], type: ['already_exists'] }]
  const request = write(pathOf(machine, operation.path), JSON.stringify(body))
  return {
    asked: caseOf(operation, 'the same again', request, { status: [422], faults, onlyThose: true }),
    compare: nothing,
  }
}

const createWrongly = (
  machine: Machine,
  model: Model,
  step: { resource: Resource; pick: number; fault: StepFault },
): Planned | undefined => {
  const body = model.bodyFor(step.resource, step.pick, {})
  if (body === undefined) return undefined
  const operation = machine.contract.verb('create', step.resource)
  const { text, loc } = spoilt(step.resource, body, step.fault)
  return {
    asked: caseOf(operation, step.fault, write(pathOf(machine, operation.path), text), {
      status: [422],
      faults: [{ loc }],
    }),
    compare: nothing,
  }
}

const spoilt = (resource: Resource, body: Body, fault: StepFault): { text: string; loc: string[] } => {
  const [required = ''] = ['slug', 'name', 'leave_type', 'candidate_id'].filter((field) => field in body)
  const [reference] = Object.keys(references[resource] ?? {})
  const changed = (field: string, value: unknown) => ({
    text: JSON.stringify({ ...body, [field]: value }),
    loc: ['body', field],
  })
  switch (fault) {
    case 'unknown property':
      return changed('nobody_declares_this', null)
    case 'missing property':
      return changed(required, undefined)
    case 'wrong type':
      return changed(required, { a: 1 })
    case 'no such reference':
      return reference === undefined ? changed(required, 1) : changed(reference, 2_000_000_000)
    default:
      return { text: `${JSON.stringify(body)}x`, loc: ['body'] }
  }
}

const get = (machine: Machine, resource: Resource, record: Row | undefined): Planned | undefined => {
  if (record === undefined) return undefined
  const operation = machine.contract.verb('get', resource)
  const request = read(pathOf(machine, operation.path.replace('{item_id}', String(record.id))))
  return {
    asked: caseOf(operation, 'a record of the sequence', request, { status: [200] }),
    compare: (body) =>
      isDeepStrictEqual(body, record) ? [] : [{ check: 'sequence', message: 'the record is not as it was created' }],
  }
}

/** Nobody has an id so far above those of the sequence. */
const getNothing = (machine: Machine, model: Model, step: { resource: Resource; pick: number }): Planned => {
  const operation = machine.contract.verb('get', step.resource)
  const id = (model.pick(step.resource, step.pick)?.id ?? 1) + 1_000_000_000
  const request = read(pathOf(machine, operation.path.replace('{item_id}', String(id))))
  return { asked: caseOf(operation, 'nothing', request, { status: [404] }), compare: nothing }
}

const list = (
  machine: Machine,
  resource: Resource,
  scope: { query: string; records: readonly Row[] } | undefined,
  { limit, offset }: { limit: number; offset: number },
): Planned | undefined => {
  if (scope === undefined) return undefined
  const operation = machine.contract.verb('list', resource)
  const request = read(`${pathOf(machine, operation.path)}?${scope.query}&limit=${limit}&offset=${offset}`)
  const expected = {
    data: scope.records.slice(offset, offset + limit),
    meta: { total: scope.records.length, limit, offset },
  }
  return {
    asked: caseOf(operation, 'what the sequence has made', request, { status: [200] }),
    compare: (body) =>
      isDeepStrictEqual(body, expected)
        ? []
        : [
            {
              check: 'sequence',
              message: `the list is not what the model holds: ${JSON.stringify(expected).slice(0, 300)}`,
            },
          ],
  }
}
