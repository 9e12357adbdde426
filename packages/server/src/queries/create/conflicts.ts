/** Checks a create against the database: references to missing records, and duplicate values of unique fields. */
import type { NamedField, Resource, StoredValue, ValidationError } from '@muster/model'
import { bodyError, errorAt, resourceAt } from '@muster/model'
import type { Runner } from '../../postgres/connection/database.ts'
import type { ConstraintViolation } from '../../postgres/connection/sqlstate.ts'
import type { Statement } from '../../postgres/sql/statement.ts'
import { quoteIdentifier } from '../../postgres/sql/statement.ts'

type Values = ReadonlyMap<string, StoredValue>

interface ConflictCheck {
  readonly error: ValidationError
  /** SQL that is true if the error applies. */
  readonly condition: string
}

/** Finds all conflicts with one statement, or with none if there is nothing to check. */
export const conflictErrors = async (
  database: Runner,
  resource: Resource,
  values: Values,
): Promise<readonly ValidationError[]> => {
  const { statement, errors } = conflictStatement(resource, values)
  if (errors.length === 0) return []
  const [row] = await database.run(statement)
  return errors.filter((_, index) => row?.[index] === true)
}

export const conflictStatement = (
  resource: Resource,
  values: Values,
): { statement: Statement; errors: ValidationError[] } => {
  const parameters: unknown[] = []
  const parameter = (value: StoredValue): string => `$${parameters.push(value)}`
  const checks = [
    ...resource.writableFields.flatMap((field) => referenceCheck(field, values, parameter)),
    ...resource.unique.flatMap((names) => uniqueCheck(resource, names, values, parameter)),
  ]
  const text = `select ${checks.map(({ condition }) => condition).join(', ')}`
  return {
    statement: {
      pool: 'write',
      summary: `conflicts ${resource.path}`,
      tables: tablesOfCreate(resource),
      text,
      values: parameters,
    },
    errors: checks.map(({ error }) => error),
  }
}

/** The table of the record and those it refers to: a foreign key check waits for locks on the referenced table. */
export const tablesOfCreate = ({ table, writableFields: writable }: Resource): readonly string[] => [
  ...new Set([
    table,
    ...writable.flatMap(({ references }) => (references === undefined ? [] : [resourceAt(references.resource).table])),
  ]),
]

const referenceCheck = (
  field: NamedField,
  values: Values,
  parameter: (value: StoredValue) => string,
): ConflictCheck[] => {
  const value = values.get(field.name)
  if (field.references === undefined || value == null) return []
  const target = resourceAt(field.references.resource)
  const conditions = [`id = ${parameter(value)}::bigint`]
  const { within } = field.references
  const scopeValue = within === undefined ? undefined : values.get(within)
  if (within !== undefined && scopeValue != null)
    conditions.push(`${quoteIdentifier(within)} = ${parameter(scopeValue)}::bigint`)
  return [
    {
      error: notFoundError(field.name, target, value),
      condition: `not exists (select from ${quoteIdentifier(target.table)} where ${conditions.join(' and ')})`,
    },
  ]
}

const uniqueCheck = (
  resource: Resource,
  names: readonly string[],
  values: Values,
  parameter: (value: StoredValue) => string,
): ConflictCheck[] => {
  const entries = names.map((name) => [name, values.get(name)] as const)
  if (entries.some(([, value]) => value == null)) return []
  const conditions = entries.map(([name, value]) => `${quoteIdentifier(name)} = ${parameter(value as StoredValue)}`)
  return [
    {
      error: duplicateError(names, values),
      condition: `exists (select from ${quoteIdentifier(resource.table)} where ${conditions.join(' and ')})`,
    },
  ]
}

/** The error for the constraint that the database named: constraints are named after their table and columns. */
export const violationError = (
  resource: Resource,
  { kind, constraint, column }: ConstraintViolation,
): ValidationError | undefined => {
  switch (kind) {
    case 'value':
      return errorAt(column === '' ? ['body'] : ['body', column], { type: 'value_refused' })
    case 'unique': {
      const names = resource.unique.find((set) => constraint === `${resource.table}_${set.join('_')}_key`)
      return names === undefined ? undefined : duplicateError(names, new Map())
    }
    case 'reference': {
      const field = resource.writableFields.find(({ name }) => constraint === `${resource.table}_${name}_fkey`)
      return field?.references && notFoundError(field.name, resourceAt(field.references.resource))
    }
  }
}

const notFoundError = (name: string, { title }: Resource, value?: StoredValue): ValidationError =>
  bodyError(name, { type: 'reference_not_found', ctx: { resource: title } }, value)

/**
 * A duplicate is reported at the last field of the unique rule: at the slug, for example, not at the organization it
 * belongs to.
 */
const duplicateError = (names: readonly string[], values: Values): ValidationError => {
  const name = names.at(-1) as string
  return bodyError(name, { type: 'already_exists' }, values.get(name))
}
