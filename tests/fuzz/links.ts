import { isDeepStrictEqual } from 'node:util'
import type { Case, Deviation } from './case.ts'
import type { Link } from './contract.ts'
import type { Fuzzer } from './fuzzer.ts'
import type { FollowUp } from './generated.ts'
import { getRequest } from './request.ts'
import { apiPath } from './sources/source.ts'

/** Follows each OpenAPI link of a create response, which must return the created record. */
export const followLinks =
  (fuzzer: Fuzzer): FollowUp =>
  async ({ testCase, response }) => {
    if (testCase.operation === undefined || response === undefined) return []
    const { links = {} } = fuzzer.contract.operation(testCase.operation).responses.get(response.status) ?? {}
    const body: unknown = JSON.parse(response.text)
    const deviations: Deviation[] = []
    for (const link of Object.values(links)) {
      const linkedResult = await fuzzer.attempt(linkedCase(fuzzer, testCase, link, body))
      deviations.push(...linkedResult.deviations)
      if (linkedResult.response !== undefined && !isDeepStrictEqual(JSON.parse(linkedResult.response.text), body))
        deviations.push({
          check: 'link',
          message: `${link.operationId} returns a record that differs from the create response`,
        })
    }
    return deviations
  }

const linkedCase = (fuzzer: Fuzzer, { source }: Case, link: Link, body: unknown): Case => {
  const { path } = fuzzer.contract.operation(link.operationId)
  const filledPath = Object.entries(link.parameters).reduce(
    (text, [name, expression]) =>
      text.replace(`{${name}}`, encodeURIComponent(String(evaluateExpression(expression, body)))),
    path,
  )
  return {
    source,
    about: `the link to ${link.operationId}`,
    operation: link.operationId,
    request: getRequest(apiPath(fuzzer, filledPath)),
    expect: { status: [200] },
  }
}

/**
 * Evaluates a link expression. The OpenAPI document uses only one kind of expression: a JSON pointer into the response
 * body.
 */
const evaluateExpression = (expression: string, body: unknown): unknown => {
  const pointer = /^\$response\.body#(\/.*)$/.exec(expression)?.[1]
  if (pointer === undefined) throw new Error(`The link expression ${expression} is not supported.`)
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], body)
}
