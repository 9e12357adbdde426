/** In charge of methods and addresses: every method on every path, and what is said where there is nothing. */
import { METHODS } from 'node:http'
import type { Case } from '../case.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Request } from '../request.ts'
import { bearer, curlLine, escaped, json } from '../request.ts'
import type { Answer } from '../wire.ts'
import type { Source } from './source.ts'
import { pathOf, requiredQuery } from './source.ts'

const name = 'methods'

export const methods: Source = {
  name,
  about: 'every method on every path',
  async run(machine) {
    const cases = [...knownAddresses(machine), ...undeclaredAddresses].flatMap((address) =>
      addressCases(machine, address),
    )
    await inParallel([...cases, ...nowhere(machine)], (asked) => machine.run(asked))
    await inParallel(knownAddresses(machine), (address) => compareHead(machine, address))
  },
}

interface Address {
  readonly target: string
  readonly get: string | undefined
  readonly creates: boolean
  readonly contentType?: string
}

/** The paths of the description with an id put in, each with and without a slash at its end. */
const knownAddresses = (machine: Machine): Address[] =>
  machine.contract.operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) => {
      const { id, path, resource, kind } = operation
      const needed = Object.entries(requiredQuery(operation)).map(([name, value]) => `${name}=${escaped(value)}`)
      const plain = pathOf(
        machine,
        path.replace('{item_id}', () => String(machine.pools.of(resource)[0]?.id)),
      )
      const target = needed.length === 0 ? plain : `${plain}?${needed.join('&')}`
      const creates = machine.contract.operations.some((other) => other.kind === 'create' && other.path === path)
      const address = { target, get: id, creates }
      return kind === 'system' || kind === 'list' ? [address, { ...address, target: slashed(target) }] : [address]
    })

const slashed = (target: string): string => (target.endsWith('/') ? target.slice(0, -1) : `${target}/`)

/** Addresses beside the described interface. */
const undeclaredAddresses: readonly Address[] = [
  { target: '/livez', get: undefined, creates: false },
  { target: '/readyz', get: undefined, creates: false },
  { target: '/swagger.json', get: undefined, creates: false },
  { target: '/api/openapi.json', get: undefined, creates: false },
  { target: '/api/docs', get: undefined, creates: false, contentType: 'text/html; charset=utf-8' },
]

/** CONNECT asks for a tunnel and is answered by the HTTP server itself. */
const everyMethod = METHODS.filter((method) => method !== 'CONNECT')

const addressCases = (machine: Machine, address: Address): Case[] => {
  const allow = ['GET', 'HEAD', ...(address.creates ? ['POST'] : []), 'OPTIONS'].join(', ')
  return everyMethod.flatMap((method) => {
    if (method === 'POST' && address.creates) return []
    const request: Request = { method, target: address.target, headers: [bearer, ...(method === 'GET' ? [] : [json])] }
    return [
      { source: name, about: `${method} ${address.target}`, ...outcome(machine, address, { method, allow }), request },
    ]
  })
}

const outcome = (
  _machine: Machine,
  { get, contentType }: Address,
  { method, allow }: { method: string; allow: string },
): Pick<Case, 'operation' | 'expect'> => {
  const type = contentType === undefined ? {} : { contentType }
  switch (method) {
    case 'GET':
      return { ...(get === undefined ? {} : { operation: get }), expect: { status: [200], ...type } }
    case 'HEAD':
      return { expect: { status: [200] } }
    case 'OPTIONS':
      return { expect: { status: [204], allow } }
    default:
      return { expect: { status: [405], allow } }
  }
}

const nowhere = (machine: Machine): Case[] =>
  [
    '/api/v1',
    '/api/v1/',
    '/api/v2/employees',
    '/api/v1/nothing',
    '/api/v1/nothing/1',
    '/api/v1/employees/1/manager',
    '/api/v1/Employees',
    '/api/V1/employees',
    '/API/v1/employees',
    '/api/v1/health/deep',
    '/api/v1/__proto__',
    '/api/v1/constructor',
    '/api/v1/employees%2f1',
    '/api/v1//employees',
    '//api/v1/employees',
    '/v1/employees',
    '/employees',
    '/api/../api/v1/employees',
    '/api/v1/%',
    '/api/v1/%ff',
    '/api/openapi.yaml',
    '/.env',
    '/favicon.ico',
  ]
    .filter((target) => target !== machine.contract.base)
    .flatMap((target) =>
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map((method) => ({
        source: name,
        about: `${method} ${target}`,
        request: { method, target, headers: [bearer] },
        expect: { status: [404] },
      })),
    )

/** HEAD says what GET says, without the body. */
const compareHead = async (machine: Machine, { target, get }: Address): Promise<void> => {
  const asked = (method: string): Case => ({
    source: name,
    about: `HEAD is GET without the body: ${target}`,
    ...(method === 'GET' && get !== undefined ? { operation: get } : {}),
    request: { method, target, headers: [] },
    expect: { status: [200] },
  })
  const full = await machine.run(asked('GET'))
  const head = await machine.run(asked('HEAD'))
  if (full.answer === undefined || head.answer === undefined) return
  const [expected, actual] = [headersOf(full.answer), headersOf(head.answer)]
  if (expected === actual && head.answer.text === '') return
  const lines = [`head: GET says ${expected}; HEAD says ${actual}`, curlLine(machine.wire.host, head.asked.request)]
  machine.tally.fail({ source: name, about: head.asked.about, checks: ['head'], lines })
}

const changing = ['x-request-id', 'date', 'keep-alive', 'connection']

const headersOf = ({ headers }: Answer): string =>
  JSON.stringify([...headers].filter(([header]) => !changing.includes(header)).sort())
