/** In charge of the rows of job openings: titles, ranges of pay, texts and stages. */
import { writeDay, writeMoment } from './calendar.ts'
import type { Row } from './copy-text.ts'
import { roundPay } from './employees.ts'
import type { Family } from './families.ts'
import { familyAt, LEVEL_PAY, titleAt } from './families.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { Openings } from './openings.ts'
import { EMPLOYMENT_TYPES, familyOfDepartment, JOB_STATUSES, NEVER, REMOTE_POLICIES } from './openings.ts'
import type { People } from './people.ts'
import { officeAt } from './places.ts'
import type { Plan } from './plan.ts'
import { below, draw, pick, streams, unit } from './random.ts'
import { jobClosings, jobOpenings } from './texts.ts'

export interface JobSources {
  readonly plan: Plan
  readonly openings: Openings
  readonly people: People
  readonly hierarchy: Hierarchy
}

export function titleOf(openings: Openings, job: number): string {
  const family = familyAt(familyOfDepartment(openings.department[job] as number))
  const role = family.roles[openings.role[job] as number] as string
  return EMPLOYMENT_TYPES[openings.employmentType[job] as number] === 'intern'
    ? `${role} Intern`
    : titleAt(role, openings.level[job] as number)
}

export function* jobRows(sources: JobSources): Generator<Row, void, void> {
  const stream = streams(sources.plan.seed)('jobs')
  for (let job = 0; job < sources.openings.count; job++) yield jobRow(sources, job, draw(stream, job))
}

function jobRow({ openings, people, hierarchy }: JobSources, job: number, key: number): Row {
  const department = openings.department[job] as number
  const family = familyAt(familyOfDepartment(department))
  const { city, country } = officeAt(openings.office[job] as number)
  const opened = openings.opened[job] as number
  const status = JOB_STATUSES[openings.status[job] as number] as string
  const draft = status === 'draft'
  const level = openings.level[job] as number
  const type = EMPLOYMENT_TYPES[openings.employmentType[job] as number] as string
  const pay = family.pay * (LEVEL_PAY[level] as number) * country.pay * country.rate * payShare(type)
  return [
    job + 1,
    `REQ-${String(job + 1).padStart(5, '0')}`,
    titleOf(openings, job),
    department + 1,
    hiringManager(people, hierarchy.managers[department] as Int32Array, opened, key) + 1,
    openings.headcount[job] as number,
    openings.filled[job] as number,
    roundPay(pay * 0.88),
    roundPay(pay * 1.16),
    country.currency,
    `${city}, ${country.name}`,
    REMOTE_POLICIES[openings.remotePolicy[job] as number] as string,
    type,
    status,
    description(family, key),
    requirements(family, level, key),
    JSON.stringify(family.stages),
    draft ? null : writeDay(opened),
    draft ? null : writeDay(opened + 45 + below(key, 1, 50)),
    writeMoment(opened - 1 - below(key, 2, 5), 8 * 3600 + below(key, 3, 9 * 3600)),
  ]
}

function payShare(type: string): number {
  return type === 'part_time' ? 0.6 : type === 'intern' ? 0.55 : 1
}

/** Somebody who leads in the department now and was there when the opening was written. */
function hiringManager(people: People, leading: Int32Array, opened: number, key: number): number {
  for (let attempt = 0; attempt < 8; attempt++) {
    const chosen = leading[below(key, 10 + attempt, leading.length)] as number
    if ((people.joining[chosen] as number) < opened && people.leaving[chosen] === NEVER) return chosen
  }
  return leading[0] as number
}

function description(family: Family, key: number): string {
  return [pick(jobOpenings, unit(key, 4)), pick(family.work, unit(key, 5)), pick(jobClosings, unit(key, 6))].join(
    '\n\n',
  )
}

const EXPERIENCE = [
  'Curiosity counts for more than years: this is a first or second job.',
  'You bring about three years of practice.',
  'You bring six years of practice or more, and others ask you for advice.',
  'You have led the work of others without needing to be their manager.',
  'You have shaped how a whole company does this kind of work.',
] as const

function requirements(family: Family, level: number, key: number): string {
  const offset = draw(key, 7)
  const asks = [0, 1].map((step) => family.asks[(offset + step) % family.asks.length] as string)
  return [EXPERIENCE[level] as string, ...asks].map((line) => `- ${line}`).join('\n')
}
