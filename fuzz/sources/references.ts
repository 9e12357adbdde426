/** In charge of the links between records: what was created can be read and referred to, and nothing else in its place. */
import type { Resource } from '../../acceptance/field-table.ts'
import { creatable } from '../../acceptance/field-table.ts'
import { references as referenceTable } from '../../acceptance/rule-table.ts'
import { plainBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import { followLinks } from '../links.ts'
import type { Attempt, Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Row } from '../pools.ts'
import { read, write } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'references'

export const references: Source = {
  name,
  about: 'from created ids to reads and references, and wrong ids in their place',
  async run(machine) {
    for (let round = 0; round < rounds; round += 1) {
      const made = await makeOneOfEach(machine)
      await inParallel(
        creatable.flatMap((resource) => listCases(machine, made, resource)),
        (asked) => machine.run(asked),
      )
      await inParallel(referenceCases(machine, made), (asked) => machine.run(asked))
    }
  },
}

const rounds = 5

type Made = ReadonlyMap<string, Row>

/** One new record of every resource that can be created, each referring to those before it. */
const makeOneOfEach = async (machine: Machine): Promise<Made> => {
  const made = new Map<string, Row>()
  for (const resource of creatable) {
    const operation = machine.contract.verb('create', resource)
    const body = withReferences(machine, resource, (target) => (made.get(target) ?? machine.pools.of(target)[0])?.id)
    const attempted = await machine.run({
      source: name,
      isOfThisRun: true,
      about: `a ${resource} that refers to new records`,
      operation: operation.id,
      request: write(pathOf(machine, operation.path), JSON.stringify(body)),
      expect: { status: [201], record: referencesIn(body) },
    })
    await readBack(machine, attempted)
    if (attempted.answer?.status === 201) made.set(resource, JSON.parse(attempted.answer.text) as Row)
  }
  return made
}

/** Follows the links of the description, and Location. */
const readBack = async (machine: Machine, attempted: Attempt): Promise<void> => {
  const deviations = await followLinks(machine)(attempted)
  const location = attempted.answer?.headers.get('location')
  if (deviations.length > 0) await machine.report(attempted.asked, deviations)
  else machine.tally.of(name).passed += 1
  if (location === undefined || attempted.answer === undefined) return
  const record = JSON.parse(attempted.answer.text) as Row
  await machine.run({
    source: name,
    isOfThisRun: true,
    about: 'Location leads to the record',
    request: read(location),
    expect: { status: [200], record },
  })
}

const withReferences = (
  machine: Machine,
  resource: Resource,
  idOf: (target: Resource) => number | undefined,
): Record<string, unknown> => {
  const targets = Object.entries(referenceTable[resource] ?? {})
  const ids = targets.map(([field, target]) => [field, idOf(target)] as const)
  // The first team of an organization has no parent.
  const known = ids.filter(([field, id]) => id !== undefined && field !== 'parent_id')
  return { ...plainBody(machine, machine.contract.verb('create', resource)), ...Object.fromEntries(known) }
}

const referencesIn = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'number'))

const referenceCases = (machine: Machine, made: Made): Case[] =>
  creatable.flatMap((resource) =>
    Object.entries(referenceTable[resource] ?? {}).flatMap(([field, target]) =>
      fieldCases(machine, made, { resource, field, target }),
    ),
  )

interface ReferenceField {
  readonly resource: Resource
  readonly field: string
  readonly target: Resource
}

/** An id of every resource in turn: right where the target has it too, and refused where it does not. */
const fieldCases = (machine: Machine, made: Made, { resource, field, target }: ReferenceField): Case[] => {
  const operation = machine.contract.verb('create', resource)
  const body = withReferences(machine, resource, (other) => (made.get(other) ?? machine.pools.of(other)[0])?.id)
  const highest = Math.max(...[...made.values()].map(({ id }) => id), 1_000_000)
  const asked = (about: string, id: number, expect: Case['expect']): Case => ({
    source: name,
    isOfThisRun: true,
    about: `${resource}.${field}: ${about}`,
    operation: operation.id,
    request: write(pathOf(machine, operation.path), JSON.stringify({ ...body, [field]: id })),
    expect,
  })
  const notFound = { loc: ['body', field], type: ['reference_not_found'] }
  return [
    ...machine.pools.resources
      .filter((other) => other !== target)
      .map((other) => {
        const id = Number((made.get(other) ?? machine.pools.of(other).at(-1))?.id)
        return asked(`the id of one of ${other}`, id, { status: [201, 422], faults: [notFound] })
      }),
    asked('an id of nobody', highest + 1, { status: [422], faults: [notFound], onlyThose: true }),
    ...(field === 'parent_id' ? parentCases(machine, made, asked, notFound) : []),
  ]
}

/** A team's parent belongs to the team's organization, and the new organization has but one team. */
const parentCases = (
  machine: Machine,
  made: Made,
  asked: (about: string, id: number, expect: Case['expect']) => Case,
  notFound: { loc: string[]; type: string[] },
): Case[] => [
  asked('a team of the same organization', Number(made.get('organization-teams')?.id), { status: [201] }),
  ...machine.pools
    .of('organization-teams')
    .slice(0, 10)
    .map(({ id }) =>
      asked('a team of another organization', id, { status: [422], faults: [notFound], onlyThose: true }),
    ),
]

/** The list, narrowed to what refers to a new record, holds the one record that does so far. */
const listCases = (machine: Machine, made: Made, resource: Resource): Case[] => {
  const list = machine.contract.verb('list', resource)
  return Object.entries(referenceTable[resource] ?? {})
    .filter(([field, target]) => made.has(target) && made.get(resource)?.[field] === made.get(target)?.id)
    .map(([field, target]) => ({
      source: name,
      isOfThisRun: true,
      about: `${resource} by ${field}`,
      operation: list.id,
      request: read(`${pathOf(machine, list.path)}?${field}=${made.get(target)?.id}`),
      expect: { status: [200], rows: 1 },
    }))
}
