/** In charge of judging a whole create body: every fault at once, in the order of the declared fields. */
import type { Fault, Flaw } from './fault.ts'
import { faultAt } from './fault.ts'
import type { NamedField, Resource } from './resource.ts'
import type { Stored } from './value.ts'
import { judge } from './value.ts'

export interface JudgedBody {
  /** What is to be stored, for the fields that were given and are right. Fields left out are absent. */
  readonly values: ReadonlyMap<string, Stored>
  readonly faults: readonly Fault[]
}

export const judgeBody = (resource: Resource, body: Readonly<Record<string, unknown>>): JudgedBody => {
  const values = new Map<string, Stored>()
  const faults: Fault[] = []
  for (const field of resource.writable) {
    const given = Object.hasOwn(body, field.name) ? body[field.name] : undefined
    const judgement = judgeField(field, given)
    if ('flaw' in judgement) faults.push(bodyFault(field.name, judgement.flaw, given))
    else if (judgement.stored !== undefined) values.set(field.name, judgement.stored)
  }
  faults.push(...orderFaults(resource, values))
  const declared = new Set(resource.writable.map((field) => field.name))
  for (const [name, given] of Object.entries(body)) {
    if (!declared.has(name)) faults.push(bodyFault(name, { type: 'extra_forbidden' }, given))
  }
  return { values, faults: inFieldOrder(resource, faults) }
}

export const bodyFault = (name: string, flaw: Flaw, given: unknown): Fault => faultAt(['body', name], flaw, echo(given))

/** Faults sorted by the declared place of their field; what is not declared stands last, in the order sent. */
export const inFieldOrder = (resource: Resource, faults: readonly Fault[]): readonly Fault[] => {
  const place = new Map(resource.writable.map((field, index) => [field.name, index]))
  const placeOf = (fault: Fault) => place.get(String(fault.loc[1])) ?? Number.POSITIVE_INFINITY
  return faults.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)))
}

const judgeField = (field: NamedField, given: unknown): { stored: Stored | undefined } | { flaw: Flaw } => {
  if (given === undefined) return field.create === 'required' ? { flaw: { type: 'missing' } } : { stored: undefined }
  if (given === null && field.create === 'optional') return { stored: field.required ? undefined : null }
  return judge(field, given)
}

const orderFaults = (resource: Resource, values: ReadonlyMap<string, Stored>): Fault[] =>
  resource.writable.flatMap((field) => {
    if (field.notBefore === undefined) return []
    const later = values.get(field.name)
    const earlier = values.get(field.notBefore)
    if (later == null || earlier == null || later >= earlier) return []
    return [bodyFault(field.name, { type: 'date_order', ctx: { not_before: field.notBefore } }, later)]
  })

/** A refusal repeats what was sent only where that is short and flat: what a person needs to see, never a burden. */
const echo = (given: unknown): unknown => {
  if (typeof given === 'string') return given.length <= 256 && given.isWellFormed() ? given : undefined
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  return typeof given === 'object' && given !== null ? undefined : given
}
