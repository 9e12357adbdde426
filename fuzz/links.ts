/** In charge of the links the description draws from an answer to further operations: follows each and compares. */
import { isDeepStrictEqual } from 'node:util'
import type { Case, Deviation } from './case.ts'
import type { Link } from './contract.ts'
import type { FollowUp } from './generated.ts'
import type { Machine } from './machine.ts'
import { read } from './request.ts'
import { pathOf } from './sources/source.ts'

/** What a create answered must be what its links lead to. */
export const followLinks =
  (machine: Machine): FollowUp =>
  async ({ asked, answer }) => {
    if (asked.operation === undefined || answer === undefined) return []
    const { links = {} } = machine.contract.operation(asked.operation).responses.get(answer.status) ?? {}
    const body: unknown = JSON.parse(answer.text)
    const deviations: Deviation[] = []
    for (const link of Object.values(links)) {
      const followed = await machine.attempt(linkedCase(machine, asked, link, body))
      deviations.push(...followed.deviations)
      if (followed.answer !== undefined && !isDeepStrictEqual(JSON.parse(followed.answer.text), body))
        deviations.push({ check: 'link', message: `${link.operationId} answers another record than the create did` })
    }
    return deviations
  }

const linkedCase = (machine: Machine, { source }: Case, link: Link, body: unknown): Case => {
  const { path } = machine.contract.operation(link.operationId)
  const filled = Object.entries(link.parameters).reduce(
    (text, [name, expression]) => text.replace(`{${name}}`, encodeURIComponent(String(evaluated(expression, body)))),
    path,
  )
  return {
    source,
    about: `the link to ${link.operationId}`,
    operation: link.operationId,
    request: read(pathOf(machine, filled)),
    expect: { status: [200] },
  }
}

/** Of the runtime expressions there are, the description uses pointers into the body. */
const evaluated = (expression: string, body: unknown): unknown => {
  const pointer = /^\$response\.body#(\/.*)$/.exec(expression)?.[1]
  if (pointer === undefined) throw new Error(`The link expression ${expression} is not understood.`)
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], body)
}
