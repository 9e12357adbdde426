/** Writes a stored value as the file does, for messages about conflicts that the database finds. */
import type { RowError } from '../import-export/row-error.ts'
import type { ColumnRule, FieldMap } from './field-map.ts'

export const asInFile = ({ resource }: FieldMap, rules: readonly ColumnRule[], { field, input }: RowError): unknown => {
  const rule = rules.find((each) => each.field.name === field)
  if (rule === undefined || rule.lookup !== undefined) return input
  const translations = [...(rule.values ?? [])].filter(([, value]) => String(value) === String(input))
  if (translations.length === 1) return translations[0]?.[0]
  const isDate = resource.storedFields.some(({ name, kind }) => name === field && kind === 'date')
  return isDate && rule.dates !== undefined ? (rule.dates[0]?.write(String(input)) ?? input) : input
}
