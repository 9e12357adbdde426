/** Which records belong to a person. */
import type { PersonKind, PersonReference, Resource } from '@muster/model'
import { personKindAt, personPath, resourceAt } from '@muster/model'
import { quoteIdentifier } from '../postgres/sql/statement.ts'

export interface PersonLink {
  readonly kind: PersonKind
  /** The field of the record: its id, or the reference that leads to the person. */
  readonly field: string
  /** The records between that reference and the person, with the reference of each. */
  readonly via: readonly PersonReference[]
}

/** A person is linked to itself. Employees are also linked to the candidate they were hired as. */
export const personLinks = (resource: Resource): PersonLink[] => {
  const kind = personKindAt(resource.path)
  const path = personPath(resource, resourceAt)
  return [
    ...(kind === undefined ? [] : [{ kind, field: 'id', via: [] }]),
    ...(path === undefined
      ? []
      : [{ kind: path.kind, field: resource.personOf as string, via: path.references.slice(1) }]),
  ]
}

/** SQL for the rows of a resource. */
export type RowSource = (reference: PersonReference) => string

const storedRows: RowSource = ({ resource }) => `public.${quoteIdentifier(resource.table)}`

/** SQL condition: the row leads to a person for whose id `isPerson` is true. */
export const linkCondition = (
  { field, via }: PersonLink,
  alias: string,
  isPerson: (id: string) => string,
  rowsOf: RowSource = storedRows,
): string => {
  const conditionAt = (index: number, column: string): string => {
    const reference = via[index]
    if (reference === undefined) return isPerson(column)
    const next = conditionAt(index + 1, `linked.${quoteIdentifier(reference.field)}`)
    return `${column} in (select linked.id from ${rowsOf(reference)} as linked where ${next})`
  }
  return conditionAt(0, `${alias}.${quoteIdentifier(field)}`)
}

/** SQL query: the ids of the people to whom rows lead. `rows` is what follows `from`. */
export const linkedPeople = ({ field, via }: PersonLink, alias: string, rows: string): string =>
  via.reduce(
    (ids, reference) =>
      `select linked.${quoteIdentifier(reference.field)} from ${storedRows(reference)} as linked where linked.id in (${ids})`,
    `select ${alias}.${quoteIdentifier(field)} from ${rows}`,
  )
