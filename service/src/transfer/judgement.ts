/** In charge of judging an entry by the declarations: the row to store, and everything that is wrong with it by itself. */
import type { Flaw, NamedField, Resource, Stored } from '@muster/model'
import { judge } from '@muster/model'
import type { Entry } from './entries.ts'
import type { Refusal } from './refusal.ts'
import { refusalOf } from './refusal.ts'

/** What the database puts where nothing is said, by field name. */
export type Defaults = ReadonlyMap<string, string>

export interface Judged {
  /** One value per stored field, in declared order; null where it is refused. */
  readonly values: readonly Stored[]
  readonly refusals: readonly Refusal[]
}

export type Judge = (entry: Entry) => Judged

/** A judge of one resource: what depends on the declarations alone is settled once. */
export const entryJudge = (resource: Resource, defaults: Defaults): Judge => {
  const rules = resource.stored.map((field) => ruleFor(field, defaults.get(field.name)))
  const orders = resource.stored.flatMap((field, later) => {
    const earlier = resource.stored.findIndex(({ name }) => name === field.notBefore)
    return earlier === -1 ? [] : [{ field, later, earlier }]
  })
  const allNull = resource.stored.map(() => null)
  return ({ line, given, refusals: found }) => {
    if (given.length === 0) return { values: allNull, refusals: found }
    const refusals: Refusal[] = [...found]
    const values: Stored[] = []
    for (const [index, { field, fallback, optional }] of rules.entries()) {
      const value = given[index]
      const judged = value == null ? whereNothing(value, fallback, optional) : judgeValue(field, value)
      values.push('flaw' in judged ? null : judged.stored)
      if ('flaw' in judged) refusals.push(refusalOf(line, field.name, judged.flaw, value))
    }
    for (const { field, later, earlier } of orders) {
      if (isBefore(values[later], values[earlier]))
        refusals.push(
          refusalOf(line, field.name, { type: 'date_order', ctx: { not_before: field.notBefore ?? '' } }, given[later]),
        )
    }
    return { values, refusals }
  }
}

interface Rule {
  readonly field: NamedField
  readonly fallback: string | undefined
  readonly optional: boolean
}

/** A required text that only an import can set is as little blank as one that a create must carry. */
const ruleFor = (field: NamedField, fallback: string | undefined): Rule => ({
  field: field.required && field.create === 'never' && field.kind === 'text' ? { ...field, notBlank: true } : field,
  fallback,
  optional: !field.required || field.kind === 'id',
})

type Outcome = { readonly stored: Stored } | { readonly flaw: Flaw }

/** As in a create: what is left out takes the default, and so does null where null cannot be. */
const whereNothing = (value: null | undefined, fallback: string | undefined, optional: boolean): Outcome => {
  if (optional) return { stored: value === undefined ? (fallback ?? null) : null }
  return fallback === undefined ? { flaw: { type: 'missing' } } : { stored: fallback }
}

/** The next id follows the largest: this leaves room for seven trillion of them below the largest safe integer. */
const largestId = 9_000_000_000_000_000

const judgeValue = (field: NamedField, value: unknown): Outcome => {
  const judged = judge(field, value)
  if (field.kind !== 'id' || 'flaw' in judged) return judged
  if (Number(judged.stored) < 1) return { flaw: { type: 'greater_than_equal', ctx: { ge: 1 } } }
  return Number(judged.stored) > largestId ? { flaw: { type: 'less_than_equal', ctx: { le: largestId } } } : judged
}

/** Both are written YYYY-MM-DD by now. */
const isBefore = (later: Stored | undefined, earlier: Stored | undefined): boolean =>
  later != null && earlier != null && later < earlier
