/** In charge of who may create: every way to lack the token, on every create, and a service that has none. */
import { plainBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { HeaderLine } from '../request.ts'
import { bearer, json, write } from '../request.ts'
import { rightCredentials, wrongCredentials } from '../wrong-credentials.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'access'

export const access: Source = {
  name,
  about: 'right, wrong and absent tokens on every create',
  async run(machine) {
    const creates = machine.contract.operations.filter(({ kind }) => kind === 'create')
    await inParallel(
      creates.flatMap((operation) => tokenCases(machine, operation)),
      (asked) => machine.run(asked),
    )
    const { wireWithoutToken } = machine
    if (wireWithoutToken === undefined) return
    const disabled = creates.flatMap((operation) => disabledCases(machine, operation))
    await inParallel(disabled, (asked) => machine.run(asked, wireWithoutToken))
  },
}

const asked = (
  machine: Machine,
  operation: Operation,
  given: { about: string; headers: readonly HeaderLine[]; query?: string; status: number; body?: string },
): Case => {
  const body = given.body ?? JSON.stringify(plainBody(machine, operation))
  return {
    source: name,
    about: given.about,
    operation: operation.id,
    request: write(`${pathOf(machine, operation.path)}${given.query ?? ''}`, body, given.headers),
    expect: { status: [given.status] },
  }
}

const tokenCases = (machine: Machine, operation: Operation): Case[] => [
  ...wrongCredentials.map(({ about, headers, query = '' }) =>
    asked(machine, operation, { about, headers: [...headers, json], query, status: 401 }),
  ),
  // Told before the body is looked at, so that nobody learns anything without the token.
  ...['', '{', '{"nobody":1}', '\0'].map((body) =>
    asked(machine, operation, { about: 'a wrong body without a token', headers: [], body, status: 401 }),
  ),
  ...rightCredentials.map(([about, header]) =>
    asked(machine, operation, { about, headers: [header, json], status: 201 }),
  ),
]

const disabledCases = (machine: Machine, operation: Operation): Case[] =>
  [[bearer, json], [json], []].map((headers) =>
    asked(machine, operation, { about: 'a service without a token creates nothing', headers, status: 503 }),
  )
