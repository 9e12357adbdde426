/** In charge of who works, or worked, for the company: joining, leaving, level, office and the person behind the number. */
import type { Day } from './calendar.ts'
import { lastWorked, nextWorked } from './calendar.ts'
import { familyAt } from './families.ts'
import type { Curve } from './growth.ts'
import { dayAt, sumBefore } from './growth.ts'
import type { Hires, Openings } from './openings.ts'
import { departmentSteps, familyOfDepartment, NEVER, officeSteps, startingDay } from './openings.ts'
import { cultureIn, officeAt } from './places.ts'
import type { Plan } from './plan.ts'
import { below, climb, draw, ladder, streams, unit } from './random.ts'

/** Employees in the order in which they joined; the chief executive comes first and the heads of the departments next. */
export interface People {
  readonly count: number
  readonly joining: Int32Array
  /** Last day of employment; NEVER while none is known. */
  readonly leaving: Int32Array
  readonly department: Uint8Array
  readonly office: Uint8Array
  readonly role: Uint8Array
  readonly level: Uint8Array
  readonly employmentType: Uint8Array
  /** Index of the hire that brought the employee in, or -1. */
  readonly hire: Int32Array
  /** Chance's key of the person, the same as that of the candidate the person once was. */
  readonly key: Uint32Array
  readonly culture: Uint8Array
  /** Suspended employees record no attendance from this day on; NEVER for all others. */
  readonly suspended: Int32Array
}

/** The candidate behind each hire and the office whose country that candidate comes from. */
export interface Recruits {
  readonly candidate: Int32Array
  readonly home: Uint8Array
}

export interface PeopleSources {
  readonly plan: Plan
  readonly hiring: Curve
  readonly openings: Openings
  readonly hires: Hires
  readonly recruits: Recruits
}

const FULL_TIME = 0
const PART_TIME = 1
const CONTRACT = 2
const INTERN = 3
const levelSteps = ladder([26, 42, 24, 7, 1])

/** Candidates and the employees they became draw their person from here. */
export function candidateStream(seed: string): number {
  return streams(seed)('candidates')
}

export function makePeople(sources: PeopleSources): People {
  const people = emptyPeople(sources.plan.employees)
  join(people, sources)
  const settle = settler(people, sources)
  for (let employee = 0; employee < people.count; employee++) settle(employee)
  return people
}

function emptyPeople(count: number): People {
  return {
    count,
    joining: new Int32Array(count),
    leaving: new Int32Array(count).fill(NEVER),
    department: new Uint8Array(count),
    office: new Uint8Array(count),
    role: new Uint8Array(count),
    level: new Uint8Array(count),
    employmentType: new Uint8Array(count),
    hire: new Int32Array(count).fill(-1),
    key: new Uint32Array(count),
    culture: new Uint8Array(count),
    suspended: new Int32Array(count).fill(NEVER),
  }
}

/** Orders those who came before the openings on record and those who came through them by the day they joined. */
function join(people: People, { plan, hiring, hires }: PeopleSources): void {
  const before = earlyJoinings(plan, hiring, people.count - hires.count)
  const order = Int32Array.from(hires.joining.keys())
  order.sort((a, b) => (hires.joining[a] as number) - (hires.joining[b] as number) || a - b)
  let early = 0
  let late = 0
  for (let employee = 0; employee < people.count; employee++) {
    const next = order[late]
    const day = before[early]
    if (day !== undefined && (next === undefined || day <= (hires.joining[next] as number))) {
      people.joining[employee] = day
      early++
    } else {
      people.hire[employee] = next as number
      people.joining[employee] = hires.joining[next as number] as number
      late++
    }
  }
}

function earlyJoinings(plan: Plan, hiring: Curve, count: number): Int32Array {
  if (count <= plan.departments) throw new RangeError('more people were hired on record than the company employs')
  const stream = streams(plan.seed)('joining')
  const until = sumBefore(hiring, plan.asOf + 1) * (1 - plan.recruited)
  const days = new Int32Array(count)
  for (let index = 0; index < count; index++) {
    const founder = index <= plan.departments
    const sum = founder ? 0 : ((index - plan.departments) / (count - plan.departments)) * until
    const day = dayAt(hiring, sum)
    days[index] = founder ? nextWorked(day) : startingDay(day, unit(stream, index))
  }
  return days.sort()
}

function settler(people: People, { plan, openings, hires, recruits }: PeopleSources): (employee: number) => void {
  const stream = streams(plan.seed)('employees')
  const candidates = candidateStream(plan.seed)
  const departments = departmentSteps(plan)
  const officesByWeight = officeSteps(plan)
  return (employee) => {
    const luck = draw(stream, employee)
    const hire = people.hire[employee] as number
    if (hire >= 0) {
      const job = hires.job[hire] as number
      people.department[employee] = openings.department[job] as number
      people.office[employee] = openings.office[job] as number
      people.role[employee] = openings.role[job] as number
      people.level[employee] = openings.level[job] as number
      people.employmentType[employee] = openings.employmentType[job] as number
      people.key[employee] = draw(candidates, recruits.candidate[hire] as number)
      people.culture[employee] = cultureOf(people.key[employee] as number, recruits.home[hire] as number)
    } else {
      const head = employee >= 1 && employee <= plan.departments
      const department = head ? employee - 1 : employee === 0 ? 0 : climb(departments, unit(luck, 1))
      people.department[employee] = department
      people.office[employee] = employee === 0 ? 0 : climb(officesByWeight, unit(luck, 2))
      people.role[employee] = below(luck, 3, familyAt(familyOfDepartment(department)).roles.length)
      people.level[employee] = climb(levelSteps, unit(luck, 4))
      people.employmentType[employee] = unit(luck, 5) < 0.07 && employee > plan.departments ? PART_TIME : FULL_TIME
      people.key[employee] = draw(luck, 99)
      people.culture[employee] = cultureOf(people.key[employee] as number, people.office[employee] as number)
    }
    if (employee > plan.departments) live(people, plan, employee, luck)
  }
}

export function cultureOf(key: number, office: number): number {
  return cultureIn(officeAt(office).country, unit(key, 5))
}

/** Promotions, leaving and the rare suspension, year by year since joining. */
function live(people: People, plan: Plan, employee: number, luck: number): void {
  const joined = people.joining[employee] as number
  const type = people.employmentType[employee] as number
  let level = people.level[employee] as number
  for (let year = 0, start = joined; start <= plan.asOf; year++, start += 365) {
    const chance = draw(luck, 20 + year)
    const leaves = leavingDay(type, year, start, chance)
    if (leaves <= plan.asOf) {
      people.leaving[employee] = Math.max(nextWorked(joined + 5), lastWorked(leaves))
      break
    }
    if (type === INTERN && leaves === NEVER && year === 0 && plan.asOf - joined > 180)
      people.employmentType[employee] = FULL_TIME
    const promotion = start + 300 + below(chance, 2, 60)
    if (year > 0 && level < 4 && promotion <= plan.asOf && unit(chance, 3) < (PROMOTION[level] as number)) level++
  }
  people.level[employee] = level
  const settled = people.leaving[employee] === NEVER && joined < plan.asOf - 200
  if (settled && draw(luck, 9) % 170 === 0) people.suspended[employee] = plan.asOf - 2 - below(luck, 10, 12)
}

const PROMOTION = [0.5, 0.24, 0.1, 0.04] as const

function leavingDay(type: number, year: number, start: Day, chance: number): Day {
  const risk =
    type === CONTRACT ? 0.55 : type === INTERN && year === 0 ? 0.6 : year === 0 ? 0.11 : year < 3 ? 0.1 : 0.06
  if (unit(chance, 1) >= risk) return NEVER
  if (type === CONTRACT) return start + 364
  if (type === INTERN && year === 0) return start + 181
  return start + 20 + below(chance, 4, 344)
}

export function isEmployed(people: People, employee: number, day: Day): boolean {
  return (people.joining[employee] as number) <= day && day <= (people.leaving[employee] as number)
}

/** How many had joined by a day: they are the first ones. */
export function joinedBy(people: People, day: Day): number {
  let low = 0
  let high = people.count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((people.joining[middle] as number) <= day) low = middle + 1
    else high = middle
  }
  return low
}
