/** In charge of `Prefer: handling=strict` on reads: parameters that nobody knows are refused, and not overlooked. */
import type { Fault } from '@muster/model'
import { faultAt, maxUnknownNames, strictHandling, suggestion } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterProblem } from '../errors.ts'
import type { Parameters } from './query-string.ts'

/** Reads parameters, and refuses those that are not known together with all others where the request asks for that. */
export const handling = (
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: Parameters,
  known: readonly string[],
): (<T>(read: () => T) => T) => {
  if (!wantsStrict(request.headers.prefer)) return (read) => read()
  reply.header(strictHandling.applied, strictHandling.value)
  const unknown = [...parameters].filter(([name]) => !known.includes(name)).slice(0, maxUnknownNames)
  if (unknown.length === 0) return (read) => read()
  return (read) => {
    throw new ParameterProblem([
      ...faultsOf(read),
      ...unknown.map(([name, { text }]) => unexpected(name, suggestion(name, known), text)),
    ])
  }
}

const unexpected = (name: string, meant: string | undefined, input: string): Fault => {
  const type = 'unexpected_parameter'
  return faultAt(['query', name], meant === undefined ? { type } : { type, ctx: { did_you_mean: meant } }, input)
}

const faultsOf = (read: () => unknown): readonly Fault[] => {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ParameterProblem) return error.faults
    throw error
  }
}

/** Nobody has that much to wish for, and taking quotes apart takes the longer the more there are. */
const maxLength = 1_000

/** As RFC 7240 writes it: names ignore case, values may stand in quotes, and the first of several with one name counts. */
export const wantsStrict = (prefer: string | string[] | undefined): boolean => {
  if (prefer === undefined) return false
  const wishes =
    String(prefer)
      .slice(0, maxLength)
      .match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []
  const handling = wishes.map((wish) => wishShape.exec(wish)).find((wish) => wish?.[1]?.toLowerCase() === 'handling')
  const value = handling?.[2]?.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1')
  return value?.toLowerCase() === 'strict'
}

/** What follows a semicolon says more about a wish, and nothing that is known here. */
const wishShape = /^\s*([^\s=;"]+)\s*(?:=\s*("(?:\\.|[^"\\])*"|[^\s;"]*)\s*)?(?:;|$)/
