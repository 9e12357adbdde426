/** In charge of what a read may ask its records to hold: reads `fields` and `expand` by the names that are declared. */
import type { AskedShape, FaultType, Flaw, Resource } from '@muster/model'
import { expandParameter, fieldsParameter } from '@muster/model'
import type { Refuse } from './parameters.ts'
import type { Parameter, Parameters } from './query-string.ts'

export const readShape = (resource: Resource, parameters: Parameters, refuse: Refuse): AskedShape => {
  const read = <T extends Named>(name: string, declared: readonly T[], unknown: FaultType): T[] | undefined =>
    readNames(parameters.get(name), declared, unknown, (flaw) => refuse(name, flaw))
  const { all, relations } = resource
  return {
    fields: read(fieldsParameter, all, 'field_unknown'),
    // Without relations the parameter is not declared, and ignored like any other that is not.
    relations: (relations.length === 0 ? undefined : read(expandParameter, relations, 'relation_unknown')) ?? [],
  }
}

interface Named {
  readonly name: string
}

/** Each repeats what was sent: were all told, an address full of unknown names would be answered by its square. */
const maxToldNames = 10

/** Those that are named, in declared order; undefined where the parameter is blank. */
const readNames = <T extends Named>(
  parameter: Parameter | undefined,
  declared: readonly T[],
  unknown: FaultType,
  refuse: (flaw: Flaw) => void,
): T[] | undefined => {
  if (parameter === undefined || parameter.text.trim() === '') return undefined
  if (!parameter.isUnicode) {
    refuse({ type: 'string_unicode' })
    return undefined
  }
  const asked = new Set(parameter.text.split(','))
  const known = declared.filter(({ name }) => asked.delete(name))
  for (const name of [...asked].slice(0, maxToldNames)) refuse({ type: unknown, ctx: { name } })
  return known
}
