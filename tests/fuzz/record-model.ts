/** Reference implementation of create: computes the record that must be stored for a body. */
import type { Resource } from '../contract/contract.ts'
import { fieldsOf } from '../contract/contract.ts'

export type Body = Readonly<Record<string, unknown>>

/**
 * The fields of the record that the body determines. The id, timestamps and dates that the service sets are left out.
 */
export const expectedRecord = (resource: Resource, body: Body): Record<string, unknown> => {
  const record: Record<string, unknown> = {}
  for (const { field, kind, create, today = false, default: defaultValue = null } of fieldsOf(resource)) {
    const value = body[field]
    if (create === 'none' ? isSetByService(field) : value === undefined && today) continue
    record[field] = value === undefined || value === null ? defaultValue : storedValue(kind, value)
  }
  return record
}

const isSetByService = (field: string): boolean => ['id', 'created', 'updated'].includes(field)

const storedValue = (kind: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (kind === 'date') return value.slice(0, 10)
  return kind === 'timestamp' ? toUtc(value) : value
}

const dateTimePattern = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?)?$/

/** Converts a date-time to UTC, cut to microseconds and without trailing zeros. */
export const toUtc = (text: string): string => {
  const [, day, time = '00:00', seconds = '00', fraction = '', sign, hours, minutes] = dateTimePattern.exec(text) ?? []
  const offsetMs = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const utc = new Date(Date.parse(`${day}T${time}:${seconds}Z`) - offsetMs)
  const micros = fraction.slice(0, 6).replace(/0+$/, '')
  return `${utc.toISOString().slice(0, 19)}${micros === '' ? '' : `.${micros}`}Z`
}

/** Whether the year is between 1 and 9999 after conversion to UTC. */
export const hasFourDigitYear = (text: string): boolean => {
  try {
    return /^(?!0000)\d{4}-/.test(toUtc(text))
  } catch {
    return false
  }
}
