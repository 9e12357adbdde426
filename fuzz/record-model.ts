/** In charge of what a create must answer: works out, apart from the service, the record that a body becomes. */
import type { Resource } from '../acceptance/field-table.ts'
import { fieldsOf } from '../acceptance/field-table.ts'
import { defaults, todayWhenOmitted } from '../acceptance/rule-table.ts'

export type Body = Readonly<Record<string, unknown>>

/** The fields of the new record that the body alone decides: not its id, nor the service's clock. */
export const expectedRecord = (resource: Resource, body: Body): Record<string, unknown> => {
  const record: Record<string, unknown> = {}
  for (const { field, kind, create } of fieldsOf(resource)) {
    const given = body[field]
    const fallback = defaults[resource]?.[field] ?? null
    const isToday = todayWhenOmitted[resource]?.includes(field) === true
    if (create === 'none' ? isClockwork(field) : given === undefined && isToday) continue
    record[field] = given === undefined || given === null ? fallback : kept(kind, given)
  }
  return record
}

/** Fields that a create cannot carry and that the service fills. */
const isClockwork = (field: string): boolean => ['id', 'created', 'updated'].includes(field)

const kept = (kind: string, given: unknown): unknown => {
  if (typeof given !== 'string') return given
  if (kind === 'date') return given.slice(0, 10)
  return kind === 'timestamp' ? instantOf(given) : given
}

const momentShape = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?)?$/

/** The instant of a date-time in UTC, to the microsecond and without idle zeros. */
export const instantOf = (text: string): string => {
  const [, day, time = '00:00', seconds = '00', fraction = '', sign, hours, minutes] = momentShape.exec(text) ?? []
  const offsetMs = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const utc = new Date(Date.parse(`${day}T${time}:${seconds}Z`) - offsetMs)
  const micros = fraction.slice(0, 6).replace(/0+$/, '')
  return `${utc.toISOString().slice(0, 19)}${micros === '' ? '' : `.${micros}`}Z`
}

/** Whether the instant stays within the four-digit years once its offset is applied. */
export const isWithinYears = (text: string): boolean => {
  try {
    return /^(?!0000)\d{4}-/.test(instantOf(text))
  } catch {
    return false
  }
}
