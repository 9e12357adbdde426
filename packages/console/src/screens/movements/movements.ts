/** What the report `movements` says, prepared for the screen. */
import type { ReportRows } from '@muster/client'
import { firstDay, lastDay } from '@muster/model'
import type { TrackedField } from '../../components/employee-changes.ts'
import { listPath } from '../../service/paths.ts'

export type MovementRow = ReportRows['movements']

/** The kinds of the report, by the field that changes. */
export const kinds = [
  { kind: 'transfer', field: 'dept_id' },
  { kind: 'title', field: 'designation' },
  { kind: 'manager', field: 'manager_id' },
  { kind: 'office', field: 'branch' },
  { kind: 'contract', field: 'employment_type' },
] as const satisfies readonly { readonly kind: string; readonly field: TrackedField }[]

export type Kind = (typeof kinds)[number]

export interface Days {
  readonly from: string
  readonly to: string
}

/** The days of the months, up to the day of the screen. */
export const daysOf = (from: string, to: string, asOf: string): Days => {
  const last = lastDay(to)
  return { from: firstDay(from), to: last < asOf ? last : asOf }
}

/** The list of these changes of employees. */
export const changesPath = (fields: TrackedField | readonly TrackedField[], { from, to }: Days, filters = {}): string =>
  listPath('history', { resource: 'employees', field: fields, on_from: from, on_to: to, ...filters })

/** The rows of a report are complete and have no change in common, so that their sum is a total. */
export const sumChanges = (rows: readonly MovementRow[]): number =>
  rows.reduce((sum, { changes }) => sum + (changes ?? 0), 0)

/** Whether changes of the whole month may be missing, because none was recorded then. */
export const isBeforeHistory = (month: string, historyFrom: string | undefined): boolean =>
  historyFrom !== undefined && lastDay(month) < historyFrom

/** A department of the matrix, those without a department, or several together. */
export interface Place {
  readonly key: string
  /** The id; null for no department. Several for the places that have no row of their own. */
  readonly ids: readonly (string | null)[]
  readonly isOther: boolean
}

export interface Transfers {
  readonly places: readonly Place[]
  readonly count: (from: Place | undefined, to: Place | undefined) => number
  readonly highest: number
}

/** More places than this are shown together. */
const maxPlaces = 10

/** Transfers between the departments with the most of them, and all others together. */
export const transfersOf = (rows: readonly MovementRow[]): Transfers => {
  const sizes = new Map<string | null, number>()
  for (const { from_group: from, to_group: to, changes } of rows)
    for (const id of [from, to]) sizes.set(id, (sizes.get(id) ?? 0) + (changes ?? 0))
  const position = (id: string | null) => (id === null ? Number.POSITIVE_INFINITY : Number(id))
  const sorted = [...sizes].toSorted(([a, m], [b, n]) => n - m || position(a) - position(b)).map(([id]) => id)
  const own = sorted.slice(0, sorted.length > maxPlaces ? maxPlaces - 1 : maxPlaces)
  // No filter selects a department together with none, so those without one keep a row of their own.
  if (sizes.has(null) && !own.includes(null)) own.push(null)
  const others = sorted.filter((id) => !own.includes(id))
  const places: Place[] = own.map((id) => ({ key: String(id), ids: [id], isOther: false }))
  if (others.length > 0) places.push({ key: 'other', ids: others, isOther: true })
  const count = (from: Place | undefined, to: Place | undefined) =>
    sumChanges(
      rows.filter(
        ({ from_group, to_group }) => (from?.ids.includes(from_group) ?? true) && (to?.ids.includes(to_group) ?? true),
      ),
    )
  const highest = Math.max(0, ...places.flatMap((from) => places.map((to) => count(from, to))))
  return { places, count, highest }
}

/** The bounds of the sequential colours: cells without changes have none, and the highest has the last. */
export const colorBounds = (highest: number): readonly number[] =>
  [1, 2, 3, 4, 5, 6].map((step) => 1 + ((highest - 1) * step) / 6)

/** The filters of the changes from one place, or to it. */
export const placeFilter = (name: 'old' | 'new', place: Place | undefined): object => {
  if (place === undefined) return {}
  return place.ids[0] === null ? { [`${name}_is_null`]: true } : { [name]: place.ids }
}
