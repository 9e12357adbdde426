/** In charge of the job openings and of who was hired through them and when; applications and employees follow from these. */
import type { Day } from './calendar.ts'
import { nextWorked, weekday } from './calendar.ts'
import { departmentNames, families, familyAt } from './families.ts'
import type { Curve } from './growth.ts'
import { dayAt, sumBefore } from './growth.ts'
import { offices } from './places.ts'
import type { Plan } from './plan.ts'
import { below, climb, draw, ladder, streams, unit } from './random.ts'

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
  readonly opened: Int32Array
  /** NEVER while applications are still taken. */
  readonly closed: Int32Array
  readonly headcount: Uint16Array
  readonly filled: Uint16Array
  readonly status: Uint8Array
  readonly department: Uint8Array
  readonly role: Uint8Array
  readonly level: Uint8Array
  readonly office: Uint8Array
  readonly employmentType: Uint8Array
  readonly remotePolicy: Uint8Array
  /** Applications besides the successful ones. */
  readonly unsuccessful: Int32Array
}

export interface Hires {
  readonly count: number
  readonly job: Int32Array
  readonly applied: Int32Array
  readonly hired: Int32Array
  readonly joining: Int32Array
}

const levelSteps = ladder([24, 40, 26, 8, 2])
const typeSteps = ladder([82, 7, 6, 5])
const remoteSteps = ladder([60, 22, 18])

export function departmentSteps(plan: Plan): readonly number[] {
  const names = departmentNames.slice(0, plan.departments)
  const sharing = new Map<number, number>()
  for (const { family } of names) sharing.set(family, (sharing.get(family) ?? 0) + 1)
  return ladder(names.map(({ family }) => familyAt(family).weight / (sharing.get(family) as number)))
}

export function officeSteps(plan: Plan): readonly number[] {
  return ladder(offices.slice(0, plan.offices).map(({ weight }) => weight))
}

export function familyOfDepartment(department: number): number {
  const name = departmentNames[department]
  if (name === undefined) throw new RangeError(`there is no department ${department}`)
  return name.family
}

/** People start on a Monday, or on the first working day of a month. */
export function startingDay(day: Day, chance: number): Day {
  if (chance < 0.7) return day + ((7 - weekday(day)) % 7)
  return nextWorked(day)
}

export function makeOpenings(plan: Plan, hiring: Curve): { openings: Openings; hires: Hires } {
  const openings = emptyOpenings(plan.jobs)
  describe(openings, plan, hiring)
  const hires = fill(openings, plan)
  shareApplications(openings, plan, plan.applications - hires.count)
  return { openings, hires }
}

function emptyOpenings(count: number): Openings {
  return {
    count,
    opened: new Int32Array(count),
    closed: new Int32Array(count).fill(NEVER),
    headcount: new Uint16Array(count),
    filled: new Uint16Array(count),
    status: new Uint8Array(count),
    department: new Uint8Array(count),
    role: new Uint8Array(count),
    level: new Uint8Array(count),
    office: new Uint8Array(count),
    employmentType: new Uint8Array(count),
    remotePolicy: new Uint8Array(count),
    unsuccessful: new Int32Array(count),
  }
}

/** Openings are cancelled, or still young: about this share of all places on record gets filled. */
const FILL_RATE = 0.8
const DRAFT_SHARE = 0.025

function describe(openings: Openings, plan: Plan, hiring: Curve): void {
  const stream = streams(plan.seed)('openings')
  const total = sumBefore(hiring, plan.asOf + 1)
  const from = sumBefore(hiring, dayAt(hiring, total * (1 - plan.recruited)) - 70)
  const until = sumBefore(hiring, plan.asOf - 1)
  const places = Math.max(1, (plan.recruited * plan.employees) / (plan.jobs * FILL_RATE))
  const departments = departmentSteps(plan)
  const officesByWeight = officeSteps(plan)
  for (let job = 0; job < plan.jobs; job++) {
    const key = draw(stream, job)
    const department = climb(departments, unit(key, 1))
    const type = climb(typeSteps, unit(key, 2))
    const wide = unit(key, 3)
    openings.opened[job] = nextWorked(dayAt(hiring, from + ((job + unit(key, 4)) / plan.jobs) * (until - from)))
    openings.department[job] = department
    openings.role[job] = below(key, 5, familyAt(familyOfDepartment(department)).roles.length)
    openings.employmentType[job] = type
    openings.level[job] = EMPLOYMENT_TYPES[type] === 'intern' ? 0 : climb(levelSteps, unit(key, 6))
    openings.office[job] = climb(officesByWeight, unit(key, 7))
    openings.remotePolicy[job] = climb(remoteSteps, unit(key, 8))
    openings.headcount[job] = 1 + Math.floor(wide * wide * 3 * (places - 1) + unit(key, 9))
  }
}

interface HireLists {
  readonly job: number[]
  readonly applied: number[]
  readonly hired: number[]
  readonly joining: number[]
}

function fill(openings: Openings, plan: Plan): Hires {
  const stream = streams(plan.seed)('filling')
  const lists: HireLists = { job: [], applied: [], hired: [], joining: [] }
  const drafts = Math.max(1, Math.round(plan.jobs * DRAFT_SHARE))
  // The founders came before there were openings.
  const most = plan.employees - 2 * plan.departments
  for (let job = 0; job < plan.jobs; job++) {
    if (job >= plan.jobs - drafts) openings.status[job] = DRAFT
    else fillOne(openings, { plan, job, key: draw(stream, job), lists, most })
  }
  return {
    count: lists.job.length,
    job: Int32Array.from(lists.job),
    applied: Int32Array.from(lists.applied),
    hired: Int32Array.from(lists.hired),
    joining: Int32Array.from(lists.joining),
  }
}

interface FillOne {
  readonly plan: Plan
  readonly job: number
  readonly key: number
  readonly lists: HireLists
  /** Hires there may be in all. */
  readonly most: number
}

function fillOne(openings: Openings, { plan, job, key, lists, most }: FillOne): void {
  const opened = openings.opened[job] as number
  const headcount = openings.headcount[job] as number
  const cancelled = unit(key, 1) < 0.06
  let end = opened + (cancelled ? 40 + below(key, 2, 60) : 150 + below(key, 2, 90))
  let filled = 0
  let last = opened
  for (let place = 0; place < headcount; place++) {
    const luck = draw(key, 10 + place)
    const hired = nextWorked(opened + 30 + place * 5 + Math.floor((unit(luck, 1) + unit(luck, 2)) * 42))
    if (hired > plan.asOf || hired > end || unit(luck, 3) < 0.06 || lists.job.length >= most) continue
    const applied = Math.max(opened, hired - 20 - below(luck, 4, 40))
    lists.job.push(job)
    lists.hired.push(hired)
    lists.applied.push(applied)
    lists.joining.push(startingDay(hired + 14 + below(luck, 5, 62), unit(luck, 6)))
    filled++
    last = Math.max(last, hired)
  }
  openings.filled[job] = filled
  if (filled === headcount) end = last + 1 + below(key, 3, 6)
  openings.status[job] = close(openings, plan, job, end, key)
}

function close(openings: Openings, plan: Plan, job: number, end: Day, key: number): number {
  if (end > plan.asOf) return job % 7 === 3 ? ON_HOLD : OPEN
  openings.closed[job] = end
  const age = plan.asOf - end
  return unit(key, 5) < (age > 540 ? 0.8 : age > 150 ? 0.2 : 0) ? ARCHIVED : CLOSED
}

/** Deals out applications by the appeal of the work, the size of the opening and how long it stood open. */
function shareApplications(openings: Openings, plan: Plan, total: number): void {
  const stream = streams(plan.seed)('appeal')
  const weights = new Float64Array(openings.count)
  let sum = 0
  for (let job = 0; job < openings.count; job++) {
    if (openings.status[job] === DRAFT) continue
    const family = families[familyOfDepartment(openings.department[job] as number)]
    const days = Math.min(openings.closed[job] as number, plan.asOf) - (openings.opened[job] as number) + 1
    const level = openings.level[job] as number
    const weight =
      (family?.appeal ?? 1) *
      (0.4 + 1.2 * unit(stream, job)) *
      Math.sqrt(openings.headcount[job] as number) *
      Math.sqrt(days / 60) *
      (level === 0 ? 1.6 : level > 2 ? 0.6 : 1)
    weights[job] = weight
    sum += weight
  }
  let seen = 0
  let given = 0
  for (let job = 0; job < openings.count; job++) {
    seen += weights[job] as number
    const upTo = sum === 0 ? 0 : Math.round((seen / sum) * total)
    openings.unsuccessful[job] = upTo - given
    given = upTo
  }
}
