import { formatDay, formatTimestamp } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { pick, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import type { JobFamily } from '../vocabulary/job-families.ts'
import { familyAt, LEVEL_PAY_FACTORS, titleAt } from '../vocabulary/job-families.ts'
import { officeAt } from '../vocabulary/locations.ts'
import { jobClosingSentences, jobIntroductions } from '../vocabulary/texts.ts'
import { roundPay } from './employees.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { Openings } from './openings.ts'
import { EMPLOYMENT_TYPES, familyOfDepartment, JOB_STATUSES, NEVER, REMOTE_POLICIES, stagesOf } from './openings.ts'
import type { People } from './people.ts'

export interface JobSources {
  readonly plan: Plan
  readonly openings: Openings
  readonly people: People
  readonly hierarchy: Hierarchy
}

export function titleOf(openings: Openings, job: number): string {
  const jobFamily = familyAt(familyOfDepartment(openings.department[job] as number))
  const role = jobFamily.roles[openings.role[job] as number] as string
  return EMPLOYMENT_TYPES[openings.employmentType[job] as number] === 'intern'
    ? `${role} Intern`
    : titleAt(role, openings.level[job] as number)
}

export function* jobRows(sources: JobSources): Generator<Row, void, void> {
  const stream = streams(sources.plan.seed)('jobs')
  for (let job = 0; job < sources.openings.count; job++) yield jobRow(sources, job, randomUint32(stream, job))
}

function jobRow({ openings, people, hierarchy }: JobSources, job: number, randomKey: number): Row {
  const department = openings.department[job] as number
  const jobFamily = familyAt(familyOfDepartment(department))
  const { city, country } = officeAt(openings.office[job] as number)
  const openedOn = openings.openedOn[job] as number
  const status = JOB_STATUSES[openings.status[job] as number] as string
  const isDraft = status === 'draft'
  const level = openings.level[job] as number
  const type = EMPLOYMENT_TYPES[openings.employmentType[job] as number] as string
  const pay =
    jobFamily.basePay * (LEVEL_PAY_FACTORS[level] as number) * country.payFactor * country.unitsPerEuro * payShare(type)
  return [
    job + 1,
    `REQ-${String(job + 1).padStart(5, '0')}`,
    titleOf(openings, job),
    department + 1,
    pickHiringManager(people, hierarchy.managersByDepartment[department] as Int32Array, openedOn, randomKey) + 1,
    openings.headcount[job] as number,
    openings.filled[job] as number,
    roundPay(pay * 0.88),
    roundPay(pay * 1.16),
    country.currency,
    `${city}, ${country.name}`,
    REMOTE_POLICIES[openings.remotePolicy[job] as number] as string,
    type,
    status,
    description(jobFamily, randomKey),
    requirements(jobFamily, level, randomKey),
    JSON.stringify(stagesOf(openings, job)),
    isDraft ? null : formatDay(openedOn),
    isDraft ? null : formatDay(openedOn + 45 + randomBelow(randomKey, 1, 50)),
    formatTimestamp(openedOn - 1 - randomBelow(randomKey, 2, 5), 8 * 3600 + randomBelow(randomKey, 3, 9 * 3600)),
  ]
}

function payShare(type: string): number {
  return type === 'part_time' ? 0.6 : type === 'intern' ? 0.55 : 1
}

/** Picks a current manager of the department who joined before the job was opened. */
function pickHiringManager(
  people: People,
  departmentManagers: Int32Array,
  openedOn: number,
  randomKey: number,
): number {
  for (let attempt = 0; attempt < 8; attempt++) {
    const manager = departmentManagers[randomBelow(randomKey, 10 + attempt, departmentManagers.length)] as number
    if ((people.joinedOn[manager] as number) < openedOn && people.leftOn[manager] === NEVER) return manager
  }
  return departmentManagers[0] as number
}

function description(family: JobFamily, randomKey: number): string {
  return [
    pick(jobIntroductions, randomFraction(randomKey, 4)),
    pick(family.tasks, randomFraction(randomKey, 5)),
    pick(jobClosingSentences, randomFraction(randomKey, 6)),
  ].join('\n\n')
}

const EXPERIENCE_BY_LEVEL = [
  'Curiosity counts for more than years: this is a first or second job.',
  'You bring about three years of practice.',
  'You bring six years of practice or more, and others ask you for advice.',
  'You have led the work of others without needing to be their manager.',
  'You have shaped how a whole company does this kind of work.',
] as const

function requirements(family: JobFamily, level: number, randomKey: number): string {
  const offset = randomUint32(randomKey, 7)
  const chosenRequirements = [0, 1].map(
    (step) => family.requirements[(offset + step) % family.requirements.length] as string,
  )
  return [EXPERIENCE_BY_LEVEL[level] as string, ...chosenRequirements]
    .map((requirement) => `- ${requirement}`)
    .join('\n')
}
