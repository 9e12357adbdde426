import type { Day } from '../calendar.ts'
import { workdayOnOrAfter, workdayOnOrBefore } from '../calendar.ts'
import type { Plan } from '../plan.ts'
import { cumulativeWeights, pick, pickWeighted, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { familyAt } from '../vocabulary/job-families.ts'
import { cultureIn, officeAt } from '../vocabulary/locations.ts'
import type { Curve } from './growth.ts'
import { dayAtSum, sumBefore } from './growth.ts'
import type { Hires, Openings } from './openings.ts'
import {
  cumulativeDepartmentWeights,
  cumulativeOfficeWeights,
  familyOfDepartment,
  NEVER,
  startingDay,
} from './openings.ts'

/** Employees in the order in which they joined. The chief executive is first, followed by the department heads. */
export interface People {
  readonly count: number
  readonly joinedOn: Int32Array
  /** Last day of employment, or NEVER if the person is still employed. */
  readonly leftOn: Int32Array
  /** Last day of an employee who has given notice but is still employed, or NEVER. */
  readonly leavesOn: Int32Array
  readonly department: Uint8Array
  readonly office: Uint8Array
  readonly role: Uint8Array
  readonly level: Uint8Array
  readonly employmentType: Uint8Array
  /** Index in `Hires`, or -1 for employees who joined before the first opening. */
  readonly hire: Int32Array
  /** Determines the random attributes of a person. An employee and the candidate they were have the same key. */
  readonly randomKey: Uint32Array
  readonly culture: Uint8Array
  /** The days on which an employee rose to the next level, in order. */
  readonly promotedOn: Map<number, Day[]>
  /** The day on which a former intern got a permanent contract. */
  readonly keptOnFrom: Map<number, Day>
  /** First day of the employee's suspension, or NEVER. There are no attendance records from that day on. */
  readonly suspendedFrom: Int32Array
}

/** For each hire, the index of the hired candidate and the index of an office in the candidate's country. */
export interface Recruits {
  readonly candidate: Int32Array
  readonly homeOffice: Uint8Array
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
export const LONGEST_PROBATION_DAYS = 182
const levelWeights = cumulativeWeights([26, 42, 24, 7, 1])

/**
 * Returns the random stream from which the names and other attributes of candidates, and of the employees they became,
 * are drawn.
 */
export function candidateStream(seed: string): number {
  return streams(seed)('candidates')
}

export function makePeople(sources: PeopleSources): People {
  const people = emptyPeople(sources.plan.employees)
  setJoiningDays(people, sources)
  const setDetails = detailSetter(people, sources)
  for (let employee = 0; employee < people.count; employee++) setDetails(employee)
  giveNotice(people, sources.plan)
  return people
}

function emptyPeople(count: number): People {
  return {
    count,
    joinedOn: new Int32Array(count),
    leftOn: new Int32Array(count).fill(NEVER),
    leavesOn: new Int32Array(count).fill(NEVER),
    department: new Uint8Array(count),
    office: new Uint8Array(count),
    role: new Uint8Array(count),
    level: new Uint8Array(count),
    employmentType: new Uint8Array(count),
    hire: new Int32Array(count).fill(-1),
    randomKey: new Uint32Array(count),
    culture: new Uint8Array(count),
    promotedOn: new Map(),
    keptOnFrom: new Map(),
    suspendedFrom: new Int32Array(count).fill(NEVER),
  }
}

/**
 * Sets the first day of each employee. It merges the employees hired through a job opening with the others, sorted by
 * their first day.
 */
function setJoiningDays(people: People, { plan, hiring, hires }: PeopleSources): void {
  const earlyDays = earlyJoiningDays(plan, hiring, people.count - hires.count)
  const hiresByJoiningDay = Int32Array.from(hires.joinedOn.keys())
  hiresByJoiningDay.sort((a, b) => (hires.joinedOn[a] as number) - (hires.joinedOn[b] as number) || a - b)
  let earlyIndex = 0
  let hireIndex = 0
  for (let employee = 0; employee < people.count; employee++) {
    const hire = hiresByJoiningDay[hireIndex]
    const day = earlyDays[earlyIndex]
    if (day !== undefined && (hire === undefined || day <= (hires.joinedOn[hire] as number))) {
      people.joinedOn[employee] = day
      earlyIndex++
    } else {
      people.hire[employee] = hire as number
      people.joinedOn[employee] = hires.joinedOn[hire as number] as number
      hireIndex++
    }
  }
}

function earlyJoiningDays(plan: Plan, hiring: Curve, count: number): Int32Array {
  if (count <= plan.departments) throw new RangeError('there are more hires than employees')
  const stream = streams(plan.seed)('joining')
  const untilSum = sumBefore(hiring, plan.asOf + 1) * (1 - plan.recruitedShare)
  const days = new Int32Array(count)
  for (let index = 0; index < count; index++) {
    const isFounder = index <= plan.departments
    const sum = isFounder ? 0 : ((index - plan.departments) / (count - plan.departments)) * untilSum
    const day = dayAtSum(hiring, sum)
    days[index] = isFounder ? workdayOnOrAfter(day) : startingDay(day, randomFraction(stream, index))
  }
  return days.sort()
}

function detailSetter(people: People, { plan, openings, hires, recruits }: PeopleSources): (employee: number) => void {
  const stream = streams(plan.seed)('employees')
  const candidateKeyStream = candidateStream(plan.seed)
  const departmentWeights = cumulativeDepartmentWeights(plan)
  const officeWeights = cumulativeOfficeWeights(plan)
  return (employee) => {
    const employeeKey = randomUint32(stream, employee)
    const hire = people.hire[employee] as number
    if (hire >= 0) {
      const job = hires.job[hire] as number
      people.department[employee] = openings.department[job] as number
      people.office[employee] = openings.office[job] as number
      people.role[employee] = openings.role[job] as number
      people.level[employee] = openings.level[job] as number
      people.employmentType[employee] = openings.employmentType[job] as number
      people.randomKey[employee] = randomUint32(candidateKeyStream, recruits.candidate[hire] as number)
      people.culture[employee] = cultureOf(people.randomKey[employee] as number, recruits.homeOffice[hire] as number)
    } else {
      const isHead = employee >= 1 && employee <= plan.departments
      const department = isHead
        ? employee - 1
        : employee === 0
          ? 0
          : pickWeighted(departmentWeights, randomFraction(employeeKey, 1))
      people.department[employee] = department
      people.office[employee] = employee === 0 ? 0 : pickWeighted(officeWeights, randomFraction(employeeKey, 2))
      people.role[employee] = randomBelow(employeeKey, 3, familyAt(familyOfDepartment(department)).roles.length)
      people.level[employee] = pickWeighted(levelWeights, randomFraction(employeeKey, 4))
      people.employmentType[employee] =
        randomFraction(employeeKey, 5) < 0.07 && employee > plan.departments ? PART_TIME : FULL_TIME
      people.randomKey[employee] = randomUint32(employeeKey, 99)
      people.culture[employee] = cultureOf(people.randomKey[employee] as number, people.office[employee] as number)
    }
    if (employee > plan.departments) simulateCareer(people, plan, employee, employeeKey)
  }
}

export function cultureOf(randomKey: number, office: number): number {
  return cultureIn(officeAt(office).country, randomFraction(randomKey, 5))
}

/** Simulates the promotions, departure and rare suspension of one employee, year by year since joining. */
function simulateCareer(people: People, plan: Plan, employee: number, employeeKey: number): void {
  const joinedOn = people.joinedOn[employee] as number
  const employmentType = people.employmentType[employee] as number
  let level = people.level[employee] as number
  for (let year = 0, yearStart = joinedOn; yearStart <= plan.asOf; year++, yearStart += 365) {
    const yearKey = randomUint32(employeeKey, 20 + year)
    const leavingDay = drawLeavingDay(employmentType, year, yearStart, yearKey)
    if (leavingDay <= plan.asOf) {
      people.leftOn[employee] = Math.max(workdayOnOrAfter(joinedOn + 5), workdayOnOrBefore(leavingDay))
      break
    }
    if (employmentType === INTERN && leavingDay === NEVER && year === 0 && plan.asOf - joinedOn > 180) {
      people.employmentType[employee] = FULL_TIME
      people.keptOnFrom.set(employee, joinedOn + 181)
    }
    const promotion = yearStart + 300 + randomBelow(yearKey, 2, 60)
    if (
      year > 0 &&
      level < 4 &&
      promotion <= plan.asOf &&
      randomFraction(yearKey, 3) < (PROMOTION_CHANCES[level] as number)
    ) {
      level++
      people.promotedOn.set(employee, [...(people.promotedOn.get(employee) ?? []), workdayOnOrBefore(promotion)])
    }
  }
  people.level[employee] = level
  const isLongServing = people.leftOn[employee] === NEVER && joinedOn < plan.asOf - 200
  if (isLongServing && randomUint32(employeeKey, 9) % 170 === 0)
    people.suspendedFrom[employee] = plan.asOf - 2 - randomBelow(employeeKey, 10, 12)
}

/** Share of the employees who have given notice. */
const NOTICE_SHARE = 0.015

/** Chooses the employees who leave within the next three months. At least one employee does. */
function giveNotice(people: People, plan: Plan): void {
  const stream = streams(plan.seed)('notice')
  const eligible: number[] = []
  for (let employee = plan.departments + 1; employee < people.count; employee++)
    if (
      people.leftOn[employee] === NEVER &&
      people.suspendedFrom[employee] === NEVER &&
      (people.joinedOn[employee] as number) < plan.asOf - LONGEST_PROBATION_DAYS
    )
      eligible.push(employee)
  const count = Math.max(1, Math.round(people.count * NOTICE_SHARE))
  for (let index = 0; index < count; index++) {
    const employee = pick(eligible, (index + randomFraction(stream, index)) / count)
    people.leavesOn[employee] = workdayOnOrAfter(plan.asOf + 3 + randomBelow(stream, count + index, 85))
  }
}

const PROMOTION_CHANCES = [0.5, 0.24, 0.1, 0.04] as const

function drawLeavingDay(employmentType: number, year: number, yearStart: Day, yearKey: number): Day {
  const leavingChance =
    employmentType === CONTRACT
      ? 0.55
      : employmentType === INTERN && year === 0
        ? 0.6
        : year === 0
          ? 0.11
          : year < 3
            ? 0.1
            : 0.06
  if (randomFraction(yearKey, 1) >= leavingChance) return NEVER
  if (employmentType === CONTRACT) return yearStart + 364
  if (employmentType === INTERN && year === 0) return yearStart + 181
  return yearStart + 20 + randomBelow(yearKey, 4, 344)
}

export function isEmployed(people: People, employee: number, day: Day): boolean {
  return (people.joinedOn[employee] as number) <= day && day <= (people.leftOn[employee] as number)
}

/** Returns the number of employees who joined by `day`. These employees come first in `people`. */
export function countJoinedBy(people: People, day: Day): number {
  let low = 0
  let high = people.count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((people.joinedOn[middle] as number) <= day) low = middle + 1
    else high = middle
  }
  return low
}
