/** `Prefer: handling=strict` (RFC 7240): unknown parameters of a read are rejected, not ignored. */
import type { ValidationError, Violation } from '@muster/model'
import { errorAt, maxUnknownNames, strictHandling, suggestion } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterProblem } from '../../errors.ts'
import type { Parameters } from './query-string.ts'

/**
 * Runs a function that reads the parameters, and reports unknown parameters along with the violations that the function
 * reports.
 */
export type Handling = <T>(read: () => T) => T

export interface DeclaredNames {
  /** The parameters of the operation. */
  readonly parameterNames: readonly string[]
  /** The fields of the records and of related records, if the operation has filters. */
  readonly fields?: readonly string[]
}

/** The handling that the Prefer header requests. */
export const handlingOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: Parameters,
  { parameterNames, fields = [] }: DeclaredNames,
): Handling => {
  if (!wantsStrict(request.headers.prefer)) return (read) => read()
  reply.header(strictHandling.applied, strictHandling.value)
  const unknownParameters = [...parameters].filter(([name]) => !parameterNames.includes(name)).slice(0, maxUnknownNames)
  if (unknownParameters.length === 0) return (read) => read()
  return (read) => {
    throw new ParameterProblem([
      ...errorsOf(read),
      ...unknownParameters.map(([name, { text }]) =>
        fields.includes(name)
          ? notFilterable(name, parameterNames, text)
          : unexpectedParameter(name, suggestion(name, parameterNames), text),
      ),
    ])
  }
}

const unexpectedParameter = (name: string, suggested: string | undefined, input: string): ValidationError =>
  errorAt(['query', name], { type: 'unexpected_parameter', ...suggesting(suggested) }, input)

/** A number or a date has a range instead. */
const notFilterable = (name: string, parameterNames: readonly string[], input: string): ValidationError => {
  const range = parameterNames.find((parameter) => parameter === `${name}_from`)
  return errorAt(['query', name], { type: 'field_not_filterable', ...suggesting(range) }, input)
}

const suggesting = (name: string | undefined): Pick<Violation, 'ctx'> =>
  name === undefined ? {} : { ctx: { did_you_mean: name } }

const errorsOf = (read: () => unknown): readonly ValidationError[] => {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ParameterProblem) return error.errors
    throw error
  }
}

/** Real Prefer headers are shorter. The limit bounds the matching time, which grows with the number of quotes. */
const maxHeaderLength = 1_000

/**
 * Follows RFC 7240, section 2: case does not matter in names, values may be quoted, and the first preference of a name
 * counts.
 */
export const wantsStrict = (prefer: string | string[] | undefined): boolean => {
  if (prefer === undefined) return false
  const preferences =
    String(prefer)
      .slice(0, maxHeaderLength)
      .match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []
  const handling = preferences
    .map((preference) => preferencePattern.exec(preference))
    .find((match) => match?.[1]?.toLowerCase() === 'handling')
  const value = handling?.[2]?.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1')
  return value?.toLowerCase() === 'strict'
}

/** Parameters of a preference, after a semicolon, are ignored. */
const preferencePattern = /^\s*([^\s=;"]+)\s*(?:=\s*("(?:\\.|[^"\\])*"|[^\s;"]*)\s*)?(?:;|$)/
