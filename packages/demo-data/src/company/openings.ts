/**
 * Generates job openings and the hires made through them. Applications and employees are derived from these openings
 * and hires.
 */
import type { Day } from '../calendar.ts'
import { weekday, workdayOnOrAfter } from '../calendar.ts'
import type { Plan } from '../plan.ts'
import { cumulativeWeights, pickWeighted, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { departmentNames, families, familyAt } from '../vocabulary/job-families.ts'
import { offices } from '../vocabulary/locations.ts'
import type { Curve } from './growth.ts'
import { dayAtSum, sumBefore } from './growth.ts'

export const NEVER: Day = 0x3fffffff
export const EMPLOYMENT_TYPES = ['full_time', 'part_time', 'contract', 'intern'] as const
export const JOB_STATUSES = ['draft', 'open', 'on_hold', 'closed', 'archived'] as const
export const REMOTE_POLICIES = ['hybrid', 'onsite', 'remote'] as const
const DRAFT = 0
const OPEN = 1
const ON_HOLD = 2
const CLOSED = 3
const ARCHIVED = 4

export interface Openings {
  readonly count: number
  readonly openedOn: Int32Array
  /** Day on which the opening was closed, or NEVER if it still accepts applications. */
  readonly closedOn: Int32Array
  readonly headcount: Uint16Array
  readonly filled: Uint16Array
  readonly status: Uint8Array
  readonly department: Uint8Array
  readonly role: Uint8Array
  readonly level: Uint8Array
  readonly office: Uint8Array
  readonly employmentType: Uint8Array
  readonly remotePolicy: Uint8Array
  /** Number of applications that do not lead to a hire. */
  readonly unsuccessfulApplications: Int32Array
  readonly kind: Uint8Array
}

export interface Hires {
  readonly count: number
  readonly job: Int32Array
  /** Day of the application. */
  readonly applied: Int32Array
  /** Day on which the candidate was hired. */
  readonly hired: Int32Array
  readonly joinedOn: Int32Array
}

/** Is filled and closed in the course of time. */
const ORDINARY = 0
/** Stays open and is shown on every career site of its country. */
const ADVERTISED = 1
/** Was opened recently and then put on hold. */
const HELD = 2
/** Is not opened yet. */
const PLANNED = 3

const levelWeights = cumulativeWeights([24, 40, 26, 8, 2])
const employmentTypeWeights = cumulativeWeights([82, 7, 6, 5])
const remotePolicyWeights = cumulativeWeights([60, 22, 18])

export function cumulativeDepartmentWeights(plan: Plan): readonly number[] {
  const departments = departmentNames.slice(0, plan.departments)
  const departmentsPerFamily = new Map<number, number>()
  for (const { family } of departments) departmentsPerFamily.set(family, (departmentsPerFamily.get(family) ?? 0) + 1)
  return cumulativeWeights(
    departments.map(({ family }) => familyAt(family).weight / (departmentsPerFamily.get(family) as number)),
  )
}

export function cumulativeOfficeWeights(plan: Plan): readonly number[] {
  return cumulativeWeights(offices.slice(0, plan.offices).map(({ weight }) => weight))
}

export function familyOfDepartment(department: number): number {
  const departmentName = departmentNames[department]
  if (departmentName === undefined) throw new RangeError(`there is no department ${department}`)
  return departmentName.family
}

/** Whether the opening is shown on every career site of its country, and not only on some. */
export function isAdvertisedEverywhere(openings: Openings, job: number): boolean {
  return openings.kind[job] === ADVERTISED
}

/** Returns the stages of an opening. For every third opening, recruiters also search for candidates themselves. */
export function stagesOf(openings: Openings, job: number): readonly string[] {
  const { stages } = familyAt(familyOfDepartment(openings.department[job] as number))
  return job % 3 === 1 ? ['sourced', ...stages] : stages
}

/**
 * Returns the first day of an employee: for 70 % the first Monday from `day` on, for the others the first working day
 * from `day` on.
 */
export function startingDay(day: Day, chance: number): Day {
  if (chance < 0.7) return day + ((7 - weekday(day)) % 7)
  return workdayOnOrAfter(day)
}

export function makeOpenings(plan: Plan, hiring: Curve): { openings: Openings; hires: Hires } {
  const openings = emptyOpenings(plan.jobs)
  setOpeningDetails(openings, plan, hiring)
  const hires = fillOpenings(openings, plan)
  distributeApplications(openings, plan, plan.applications - hires.count)
  return { openings, hires }
}

function emptyOpenings(count: number): Openings {
  return {
    count,
    openedOn: new Int32Array(count),
    closedOn: new Int32Array(count).fill(NEVER),
    headcount: new Uint16Array(count),
    filled: new Uint16Array(count),
    status: new Uint8Array(count),
    department: new Uint8Array(count),
    role: new Uint8Array(count),
    level: new Uint8Array(count),
    office: new Uint8Array(count),
    employmentType: new Uint8Array(count),
    remotePolicy: new Uint8Array(count),
    unsuccessfulApplications: new Int32Array(count),
    kind: new Uint8Array(count),
  }
}

/** Share of all open positions that are filled. The others are cancelled, or were opened too recently. */
const FILL_RATE = 0.8
const DRAFT_SHARE = 0.025
const HELD_SHARE = 0.025
/** Openings that stay open were opened within this many days. */
const RECENT_DAYS = 120
/** No opening was opened in the last days, because the first working day after it must not be in the future. */
const LAST_DAYS_WITHOUT_OPENING = 3

interface Slot {
  readonly openedOn: Day
  readonly kind: number
  /** Undefined if the office is chosen at random. */
  readonly office?: number
}

/** Returns the openings in the order of their first day. */
function openingSlots(plan: Plan, hiring: Curve): readonly Slot[] {
  const stream = streams(plan.seed)('slots')
  const advertisedCount = plan.openPerOffice * plan.offices
  const heldCount = Math.max(1, Math.round(plan.jobs * HELD_SHARE))
  const plannedCount = Math.max(1, Math.round(plan.jobs * DRAFT_SHARE))
  const otherCount = plan.jobs - advertisedCount - heldCount
  const lastDay = plan.asOf - LAST_DAYS_WITHOUT_OPENING
  const total = sumBefore(hiring, plan.asOf + 1)
  const fromSum = sumBefore(hiring, dayAtSum(hiring, total * (1 - plan.recruitedShare)) - 130)
  const untilSum = sumBefore(hiring, lastDay)
  const slots: Slot[] = []
  const addSlots = (
    kind: number,
    count: number,
    dayAt: (share: number) => Day,
    officeAt?: (index: number) => number,
  ) => {
    for (let index = 0; index < count; index++) {
      const openedOn = workdayOnOrAfter(dayAt((index + randomFraction(stream, slots.length)) / count))
      slots.push({ kind, openedOn, ...(officeAt === undefined ? {} : { office: officeAt(index) }) })
    }
  }
  const recentDay = (share: number) => lastDay - RECENT_DAYS + Math.floor(share * RECENT_DAYS)
  addSlots(ORDINARY, otherCount, (share) => dayAtSum(hiring, fromSum + share * (untilSum - fromSum)))
  for (let index = otherCount - plannedCount; index < otherCount; index++)
    slots[index] = { ...(slots[index] as Slot), kind: PLANNED }
  addSlots(ADVERTISED, advertisedCount, recentDay, (index) => index % plan.offices)
  addSlots(HELD, heldCount, recentDay)
  return slots.sort((a, b) => a.openedOn - b.openedOn)
}

function setOpeningDetails(openings: Openings, plan: Plan, hiring: Curve): void {
  const stream = streams(plan.seed)('openings')
  // Openings that stay open are on average half filled.
  const filledJobs = plan.jobs - (plan.openPerOffice * plan.offices) / 2
  const averageHeadcount = Math.max(1, (plan.recruitedShare * plan.employees) / (filledJobs * FILL_RATE))
  const departmentWeights = cumulativeDepartmentWeights(plan)
  const officeWeights = cumulativeOfficeWeights(plan)
  for (const [job, { openedOn, kind, office }] of openingSlots(plan, hiring).entries()) {
    const randomKey = randomUint32(stream, job)
    const department = pickWeighted(departmentWeights, randomFraction(randomKey, 1))
    const type = pickWeighted(employmentTypeWeights, randomFraction(randomKey, 2))
    const headcountFraction = randomFraction(randomKey, 3)
    openings.openedOn[job] = openedOn
    openings.kind[job] = kind
    openings.department[job] = department
    openings.role[job] = randomBelow(randomKey, 5, familyAt(familyOfDepartment(department)).roles.length)
    openings.employmentType[job] = type
    openings.level[job] =
      EMPLOYMENT_TYPES[type] === 'intern' ? 0 : pickWeighted(levelWeights, randomFraction(randomKey, 6))
    openings.office[job] = office ?? pickWeighted(officeWeights, randomFraction(randomKey, 7))
    openings.remotePolicy[job] = pickWeighted(remotePolicyWeights, randomFraction(randomKey, 8))
    openings.headcount[job] =
      1 + Math.floor(headcountFraction * headcountFraction * 3 * (averageHeadcount - 1) + randomFraction(randomKey, 9))
  }
}

interface HireLists {
  readonly job: number[]
  readonly applied: number[]
  readonly hired: number[]
  readonly joinedOn: number[]
}

function fillOpenings(openings: Openings, plan: Plan): Hires {
  const stream = streams(plan.seed)('filling')
  const hireLists: HireLists = { job: [], applied: [], hired: [], joinedOn: [] }
  // The founders joined before there were openings, so they are not counted as hires.
  const maxHires = plan.employees - 2 * plan.departments
  for (let job = 0; job < plan.jobs; job++) {
    if (openings.kind[job] === PLANNED) openings.status[job] = DRAFT
    else fillOpening(openings, { plan, job, randomKey: randomUint32(stream, job), hireLists, maxHires })
  }
  return {
    count: hireLists.job.length,
    job: Int32Array.from(hireLists.job),
    applied: Int32Array.from(hireLists.applied),
    hired: Int32Array.from(hireLists.hired),
    joinedOn: Int32Array.from(hireLists.joinedOn),
  }
}

interface OpeningToFill {
  readonly plan: Plan
  readonly job: number
  readonly randomKey: number
  readonly hireLists: HireLists
  /** Maximum number of hires in all openings together. */
  readonly maxHires: number
}

function fillOpening(openings: Openings, { plan, job, randomKey, hireLists, maxHires }: OpeningToFill): void {
  const openedOn = openings.openedOn[job] as number
  const headcount = openings.headcount[job] as number
  const staysOpen = openings.kind[job] !== ORDINARY
  const isCancelled = !staysOpen && randomFraction(randomKey, 1) < 0.06
  let endDay = openedOn + (isCancelled ? 40 + randomBelow(randomKey, 2, 60) : 150 + randomBelow(randomKey, 2, 90))
  let filled = 0
  let lastHireDay = openedOn
  for (let position = 0; position < headcount; position++) {
    const positionKey = randomUint32(randomKey, 10 + position)
    const hired = workdayOnOrAfter(
      openedOn + 30 + position * 5 + Math.floor((randomFraction(positionKey, 1) + randomFraction(positionKey, 2)) * 42),
    )
    if (
      hired > plan.asOf ||
      hired > endDay ||
      (staysOpen && filled + 1 === headcount) ||
      randomFraction(positionKey, 3) < 0.06 ||
      hireLists.job.length >= maxHires
    )
      continue
    const applied = Math.max(openedOn, hired - 20 - randomBelow(positionKey, 4, 40))
    hireLists.job.push(job)
    hireLists.hired.push(hired)
    hireLists.applied.push(applied)
    hireLists.joinedOn.push(startingDay(hired + 14 + randomBelow(positionKey, 5, 62), randomFraction(positionKey, 6)))
    filled++
    lastHireDay = Math.max(lastHireDay, hired)
  }
  openings.filled[job] = filled
  if (filled === headcount) endDay = lastHireDay + 1 + randomBelow(randomKey, 3, 6)
  openings.status[job] = closeOpening(openings, plan, job, endDay, randomKey)
}

function closeOpening(openings: Openings, plan: Plan, job: number, endDay: Day, randomKey: number): number {
  if (openings.kind[job] === HELD) return ON_HOLD
  if (endDay > plan.asOf || openings.kind[job] === ADVERTISED) return OPEN
  openings.closedOn[job] = endDay
  const age = plan.asOf - endDay
  const isArchived = job === 0 || randomFraction(randomKey, 5) < (age > 540 ? 0.8 : age > 150 ? 0.2 : 0)
  return isArchived ? ARCHIVED : CLOSED
}

/** Distributes `total` applications among jobs by the appeal of each job, its headcount and how long it was open. */
function distributeApplications(openings: Openings, plan: Plan, total: number): void {
  const stream = streams(plan.seed)('appeal')
  const weights = new Float64Array(openings.count)
  let sum = 0
  for (let job = 0; job < openings.count; job++) {
    if (openings.status[job] === DRAFT) continue
    const jobFamily = families[familyOfDepartment(openings.department[job] as number)]
    const days = Math.min(openings.closedOn[job] as number, plan.asOf) - (openings.openedOn[job] as number) + 1
    const level = openings.level[job] as number
    const weight =
      (jobFamily?.appeal ?? 1) *
      (0.4 + 1.2 * randomFraction(stream, job)) *
      Math.sqrt(openings.headcount[job] as number) *
      Math.sqrt(days / 60) *
      (level === 0 ? 1.6 : level > 2 ? 0.6 : 1)
    weights[job] = weight
    sum += weight
  }
  let weightSoFar = 0
  let distributed = 0
  for (let job = 0; job < openings.count; job++) {
    weightSoFar += weights[job] as number
    const distributedUpToJob = sum === 0 ? 0 : Math.round((weightSoFar / sum) * total)
    openings.unsuccessfulApplications[job] = distributedUpToJob - distributed
    distributed = distributedUpToJob
  }
}
