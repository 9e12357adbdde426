/** In charge of the examples in the description: each is valid by its own schema, and each request of one is answered as shown. */
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { read, uniquePlace, write } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'examples'

export const examples: Source = {
  name,
  about: 'every example in the description',
  async run(machine) {
    for (const operation of machine.contract.operations) checkExamples(machine, operation)
    await inParallel(
      machine.contract.operations.flatMap((operation) => exampleCases(machine, operation)),
      (asked) => machine.run(asked),
    )
  },
}

/** Examples of bodies, of answers and of parameters conform to the schema they stand beside. */
const checkExamples = (machine: Machine, operation: Operation): void => {
  const media = [
    operation.body,
    ...[...operation.responses.values()].map(({ content }) => content?.['application/json']),
  ]
  for (const { schema, examples: shown = {} } of media.filter((one) => one !== undefined)) {
    for (const [label, { value }] of Object.entries(shown)) checkExample(machine, operation, { label, schema, value })
  }
  for (const { name: label, schema } of operation.parameters) {
    for (const value of schema.examples ?? []) checkExample(machine, operation, { label, schema, value })
  }
}

const checkExample = (
  { validators, tally }: Machine,
  { id }: Operation,
  { label, schema, value }: { label: string; schema: Parameters<typeof validators.faultsOf>[0]; value: unknown },
): void => {
  const faults = validators.faultsOf(schema, value)
  if (faults.length === 0) tally.of(name).passed += 1
  else
    tally.fail({
      source: name,
      about: `the example ${label} of ${id}`,
      checks: ['example valid'],
      lines: faults.map(({ instancePath, message }) => `example valid: ${id} ${label} ${instancePath} ${message}`),
    })
}

const exampleCases = (machine: Machine, operation: Operation): Case[] => [
  ...shownReads(machine, operation),
  ...shownBodies(machine, operation),
  ...shownParameters(machine, operation),
]

/** An example of an answer to a read is called after its request line, which can be asked again. */
const shownReads = (machine: Machine, operation: Operation): Case[] =>
  [...operation.responses].flatMap(([status, { content }]) =>
    Object.values(content?.['application/json']?.examples ?? {}).flatMap(({ summary }) => {
      const path = /^GET (\/\S*)$/.exec(summary ?? '')?.[1]
      // Answers that many operations share show the request of one of them.
      if (path === undefined || !isAt(operation, path) || status >= 500) return []
      return [caseOf(operation, `as shown: ${summary}`, read(pathOf(machine, path)), status)]
    }),
  )

const isAt = ({ path, method }: Operation, shown: string): boolean => {
  const [address = ''] = shown.split('?', 1)
  return method === 'GET' && new RegExp(`^${path.replace('{item_id}', '[^/]+')}$`).test(address)
}

const shownBodies = (machine: Machine, operation: Operation): Case[] =>
  Object.entries(operation.body?.examples ?? {}).map(([label, { value }]) => {
    // Sent with a slug of its own: the record that is shown may be there already.
    const body = { ...(value as object), ...('slug' in (value as object) ? { slug: uniquePlace } : {}) }
    return caseOf(operation, `the body ${label}`, write(pathOf(machine, operation.path), JSON.stringify(body)), 201)
  })

const shownParameters = (machine: Machine, operation: Operation): Case[] =>
  operation.parameters.flatMap(({ name: parameter, in: place, schema }) =>
    (schema.examples ?? []).map((value) => {
      const text = encodeURIComponent(String(value))
      const path =
        place === 'path' ? operation.path.replace(`{${parameter}}`, text) : `${operation.path}?${parameter}=${text}`
      return caseOf(operation, `${parameter} as shown`, read(pathOf(machine, path)), 200)
    }),
  )

const caseOf = ({ id }: Operation, about: string, request: Case['request'], status: number): Case => ({
  source: name,
  about,
  operation: id,
  request,
  expect: { status: [status] },
})
