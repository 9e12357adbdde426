/** The steps from candidate to employee and the recorded changes of an employee, as one timeline. */
import type { RecordedValue, RecordHistory } from '@muster/client'
import { daysBetween, monthsBetween } from '@muster/model'
import type { TrackedField } from '../../components/employee-changes.ts'
import { fieldOrder } from '../../components/employee-changes.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { PathStep } from './hiring-path.ts'

type EmployeeHistory = RecordHistory<TrackedField>

/** The values of a field from the one before to the one after the changes of a day. */
export interface FieldChange {
  readonly field: TrackedField
  readonly values: readonly (string | null)[]
}

/** The oldest known value of each field. */
export type FirstValues = readonly RecordedValue<TrackedField>[]

export type TimelineEntry =
  | { readonly kind: 'step'; readonly step: PathStep; readonly firstValues?: FirstValues | undefined }
  | { readonly kind: 'change'; readonly day: string; readonly changes: readonly FieldChange[]; readonly span: string }
  /** From this day on all changes are known. */
  | { readonly kind: 'known'; readonly day: string; readonly firstValues?: FirstValues | undefined }
  /** What is known of the time before the first change. */
  | { readonly kind: 'first'; readonly firstValues: FirstValues }

/** Oldest first. Without a history, the steps alone. */
export const timelineOf = (
  steps: readonly PathStep[],
  history: EmployeeHistory | undefined,
  asOf: string,
): TimelineEntry[] => {
  const entries: TimelineEntry[] = steps.map((step) => ({ kind: 'step', step }))
  if (history === undefined) return entries
  const { history_from: knownFrom } = history.meta
  const firstValues = history.data.filter(({ id }) => id === null)
  const changesByDay = Map.groupBy(
    history.data.filter(({ id }) => id !== null),
    ({ on }) => String(on),
  )
  const days = [...changesByDay.keys()].toSorted()
  const joinedOn = steps.find(({ key }) => key === 'joined')?.day ?? null
  const isComplete = joinedOn !== null && knownFrom <= joinedOn
  const firstDay = days[0]
  // What somebody was on the first day is known only if no change is recorded before it.
  const startDay = isComplete ? joinedOn : knownFrom
  const isFirstAtStart = firstDay === undefined || firstDay >= startDay
  if (!isComplete)
    insert(entries, knownFrom, { kind: 'known', day: knownFrom, ...(isFirstAtStart ? { firstValues } : {}) })
  else if (isFirstAtStart) {
    const joined = entries.findIndex((entry) => entry.kind === 'step' && entry.step.key === 'joined')
    entries[joined] = { ...entries[joined], firstValues } as TimelineEntry
  }
  const leftOn = steps.find(({ key }) => key === 'left')
  days.forEach((day, index) => {
    const next = days[index + 1]
    const span = next !== undefined ? spanText(day, next) : leftOn === undefined ? `for ${spanText(day, asOf)}` : ''
    insert(entries, day, { kind: 'change', day, changes: fieldChanges(changesByDay.get(day) ?? []), span })
  })
  if (!isFirstAtStart) {
    const first = entries.findIndex(({ kind }) => kind === 'change')
    entries.splice(first, 0, { kind: 'first', firstValues })
  }
  return entries
}

const dayOf = (entry: TimelineEntry): string | null =>
  entry.kind === 'step' ? entry.step.day : entry.kind === 'first' ? null : entry.day

/** Inserts an entry after those of the same day or earlier, and after steps without a day that cannot be later. */
const insert = (entries: TimelineEntry[], day: string, entry: TimelineEntry): void => {
  let position = entries.findLastIndex((other) => (dayOf(other) ?? '9999') <= day) + 1
  while (isDaylessStart(entries[position])) position += 1
  entries.splice(position, 0, entry)
}

const isDaylessStart = (entry: TimelineEntry | undefined): boolean =>
  entry?.kind === 'step' && entry.step.day === null && entry.step.key !== 'left'

/** Several changes of a field on one day are in the order of their recording: `A → B → C`. */
const fieldChanges = (changes: readonly RecordedValue<TrackedField>[]): FieldChange[] =>
  [...Map.groupBy(changes, ({ field }) => field)]
    .map(([field, ofField]) => ({ field, values: [ofField[0]?.old ?? null, ...ofField.map((change) => change.new)] }))
    .toSorted((a, b) => fieldOrder.indexOf(a.field) - fieldOrder.indexOf(b.field))

/** Whole days up to two months, then whole months, and from two years on years and months. */
export const spanText = (from: string, to: string): string => {
  const days = Math.max(0, daysBetween(from, to))
  const months = monthsBetween(from.slice(0, 7), to.slice(0, 7)) - (to.slice(8) < from.slice(8) ? 1 : 0)
  if (months < 2) return `${formatInteger(days)} ${plural(days, 'day', 'days')}`
  if (months < 24) return `${months} months`
  const years = `${Math.floor(months / 12)} years`
  return months % 12 === 0 ? years : `${years} ${months % 12} ${plural(months % 12, 'month', 'months')}`
}
