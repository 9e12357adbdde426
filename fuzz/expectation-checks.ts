/** In charge of comparing an answer with what its case knew beforehand. */
import { isDeepStrictEqual } from 'node:util'
import type { Case, Deviation, ExpectedFault } from './case.ts'
import type { Answer } from './wire.ts'

interface Fault {
  readonly type: string
  readonly loc: readonly (string | number)[]
}

export const expectationChecks = (asked: Case, answer: Answer, body: unknown): Deviation[] => {
  const { expect } = asked
  if (expect.status !== undefined && !expect.status.includes(answer.status)) {
    const message = `answered ${answer.status}, and ${expect.status.join(' or ')} is right: ${answer.text.slice(0, 300)}`
    return [{ check: 'status expected', message }]
  }
  return [
    ...(answer.status === 422 ? faultChecks(asked, body) : []),
    ...(answer.status < 300 ? recordChecks(asked, body) : []),
    ...(answer.status === 200 ? metaChecks(asked, answer, body) : []),
    ...(answer.status === 201 ? locationChecks(asked, answer, body) : []),
    ...(expect.allow === undefined || answer.headers.get('allow') === expect.allow
      ? []
      : [{ check: 'allow', message: `Allow is ${answer.headers.get('allow')}, not ${expect.allow}` }]),
  ]
}

/** The entries of a refusal, whichever of the two shapes it has. */
const faultsIn = (body: unknown): readonly Fault[] => {
  const { detail, error } = (body ?? {}) as { detail?: Fault[]; error?: { details?: { errors?: Fault[] } } }
  return detail ?? error?.details?.errors ?? []
}

const faultChecks = ({ expect: { faults = [], onlyThose } }: Case, body: unknown): Deviation[] => {
  const found = faultsIn(body)
  const unnamed = faults.filter((expected) => !found.some((fault) => matches(expected, fault)))
  const strangers = onlyThose
    ? found.filter((fault) => !faults.some(({ loc }) => isDeepStrictEqual([...loc], [...fault.loc])))
    : []
  const said = JSON.stringify(found.map(({ type, loc }) => ({ type, loc }))).slice(0, 300)
  return [
    ...unnamed.map(({ loc, type }) => ({
      check: 'fault named',
      message: `no fault ${type?.join(' or ') ?? ''} at ${loc.join('.')}: ${said}`,
    })),
    ...(strangers.length === 0 ? [] : [{ check: 'fault named', message: `faults at other places too: ${said}` }]),
  ]
}

const matches = ({ loc, type }: ExpectedFault, fault: Fault): boolean =>
  isDeepStrictEqual([...loc], [...fault.loc]) && (type === undefined || type.includes(fault.type))

const recordChecks = ({ expect: { record } }: Case, body: unknown): Deviation[] =>
  Object.entries(record ?? {}).flatMap(([name, expected]) => {
    const actual = (body as Record<string, unknown> | null)?.[name]
    if (isSame(expected, actual)) return []
    return [{ check: 'kept exactly', message: `${name} is ${shown(actual)}, not ${shown(expected)}` }]
  })

/** Strings by their code points; a zero is a zero, whatever its sign. */
const isSame = (expected: unknown, actual: unknown): boolean => expected === actual

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 200)

const metaChecks = ({ expect: { meta, rows } }: Case, { text }: Answer, body: unknown): Deviation[] => {
  const page = body as { data?: unknown[] } | null
  const says = (name: string, digits: string) => [',', '}'].some((end) => text.includes(`"${name}":${digits}${end}`))
  const wrong = Object.entries(meta ?? {}).filter(([name, digits]) => !says(name, digits))
  return [
    ...wrong.map(([name, digits]) => ({ check: 'page', message: `meta.${name} is not ${digits.slice(0, 60)}` })),
    ...(rows === undefined || page?.data?.length === rows
      ? []
      : [{ check: 'page', message: `${page?.data?.length} records, and ${rows} are right` }]),
  ]
}

const locationChecks = ({ request }: Case, { headers }: Answer, body: unknown): Deviation[] => {
  const path = request.target.split('?', 1)[0]?.replace(/\/$/, '')
  const due = `${path}/${(body as { id?: unknown } | null)?.id}`
  return headers.get('location') === due
    ? []
    : [{ check: 'location', message: `Location is ${headers.get('location')}, not ${due}` }]
}
