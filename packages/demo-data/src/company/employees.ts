import type { Day } from '../calendar.ts'
import { formatDay } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomFraction, randomUint32 } from '../random.ts'
import {
  CHIEF_PAY_FACTOR,
  departmentNames,
  families,
  familyAt,
  HEAD_PAY_FACTOR,
  LEVEL_PAY_FACTORS,
  MANAGER_PAY_FACTORS,
  MANAGER_TITLES,
  NEW_HEAD_PAY_FACTOR,
  titleAt,
} from '../vocabulary/job-families.ts'
import { officeAt } from '../vocabulary/locations.ts'
import type { PersonName } from '../vocabulary/names.ts'
import { personName } from '../vocabulary/names.ts'
import type { Hierarchy } from './hierarchy.ts'
import { CHIEF, CONTRIBUTOR, HEAD } from './hierarchy.ts'
import { EMPLOYMENT_TYPES, familyOfDepartment, NEVER } from './openings.ts'
import type { People, Recruits } from './people.ts'
import { LONGEST_PROBATION_DAYS } from './people.ts'

export interface EmployeeSources {
  readonly plan: Plan
  readonly people: People
  readonly hierarchy: Hierarchy
  readonly recruits: Recruits
  /** 1 for each employee who is on leave today, otherwise 0. */
  readonly onLeaveToday: Uint8Array
}

const EMAIL_DOMAIN = 'kontor.example'

export function* employeeRows(sources: EmployeeSources): Generator<Row, void, void> {
  const { people } = sources
  const namesakeCounts = new Map<string, number>()
  for (let employee = 0; employee < people.count; employee++) {
    const name = personName(people.randomKey[employee] as number, people.culture[employee] as number)
    yield employeeRow(sources, employee, name, emailOf(name, namesakeCounts))
  }
}

function emailOf({ first, last }: PersonName, namesakeCounts: Map<string, number>): string {
  const emailName = `${first.ascii}.${last.ascii}`
  const earlierCount = namesakeCounts.get(emailName) ?? 0
  namesakeCounts.set(emailName, earlierCount + 1)
  return `${emailName}${earlierCount === 0 ? '' : earlierCount + 1}@${EMAIL_DOMAIN}`
}

function employeeRow(sources: EmployeeSources, employee: number, name: PersonName, email: string): Row {
  const { people, hierarchy, recruits } = sources
  const hire = people.hire[employee] as number
  const manager = hierarchy.managerOf[employee] as number
  const leftOn = people.leftOn[employee] as number
  const terminatedOn = leftOn === NEVER ? (people.leavesOn[employee] as number) : leftOn
  return [
    employee + 1,
    `K${String(employee + 1).padStart(6, '0')}`,
    name.first.written,
    name.last.written,
    email,
    (people.department[employee] as number) + 1,
    designation(people, hierarchy, employee),
    manager < 0 ? null : manager + 1,
    officeAt(people.office[employee] as number).city,
    statusOf(sources, employee),
    formatDay(people.joinedOn[employee] as number),
    name.gender,
    salaryOf(sources, employee),
    hire < 0 ? null : (recruits.candidate[hire] as number) + 1,
    EMPLOYMENT_TYPES[people.employmentType[employee] as number] as string,
    probationEndOf(people, employee),
    terminatedOn === NEVER ? null : formatDay(terminatedOn),
    leftOn === NEVER ? 0 : 1,
  ]
}

export function designation(people: People, { rankOf }: Hierarchy, employee: number): string {
  const department = people.department[employee] as number
  const jobFamily = familyAt(familyOfDepartment(department))
  const name = departmentNames[department]?.name ?? jobFamily.name
  switch (rankOf[employee]) {
    case CHIEF:
      return 'Chief Executive Officer'
    case HEAD:
      return name === jobFamily.name ? jobFamily.headTitle : `Head of ${name}`
    case CONTRIBUTOR:
      return titleAt(jobFamily.roles[people.role[employee] as number] as string, people.level[employee] as number)
    default:
      return `${MANAGER_TITLES[(rankOf[employee] as number) - 1]}, ${name}`
  }
}

function statusOf({ plan, people, onLeaveToday }: EmployeeSources, employee: number): string {
  if (people.leftOn[employee] !== NEVER) return 'terminated'
  if ((people.joinedOn[employee] as number) > plan.asOf) return 'pending'
  if (people.suspendedFrom[employee] !== NEVER) return 'suspended'
  return onLeaveToday[employee] === 1 ? 'on_leave' : 'active'
}

/** Returns the rounded yearly pay of an employee, in the currency of their office. */
function salaryOf({ plan, people, hierarchy }: EmployeeSources, employee: number): number {
  const { country } = officeAt(people.office[employee] as number)
  const jobFamily = familyAt(familyOfDepartment(people.department[employee] as number))
  const randomKey = people.randomKey[employee] as number
  const lastDay = Math.min(plan.asOf, people.leftOn[employee] as number)
  const yearsEmployed = Math.max(0, (lastDay - (people.joinedOn[employee] as number)) / 365)
  const tenureFactor = 1 + Math.min(yearsEmployed, 10) * 0.012
  const randomFactor = 0.9 + 0.1 * (randomFraction(randomKey, 40) + randomFraction(randomKey, 41))
  const type = EMPLOYMENT_TYPES[people.employmentType[employee] as number]
  const workingTimeFactor = type === 'part_time' ? 0.6 : type === 'intern' ? 0.55 : 1
  const euros =
    jobFamily.basePay *
    rankPayFactor(people, hierarchy, employee) *
    country.payFactor *
    tenureFactor *
    randomFactor *
    workingTimeFactor
  return roundPay(euros * country.unitsPerEuro)
}

function rankPayFactor(people: People, { rankOf }: Hierarchy, employee: number): number {
  const ownRank = rankOf[employee] as number
  if (ownRank === CHIEF) return CHIEF_PAY_FACTOR
  if (ownRank === HEAD)
    return (people.department[employee] as number) < families.length ? HEAD_PAY_FACTOR : NEW_HEAD_PAY_FACTOR
  if (ownRank === CONTRIBUTOR) return LEVEL_PAY_FACTORS[people.level[employee] as number] as number
  return MANAGER_PAY_FACTORS[ownRank - 1] as number
}

/** Rounds to about three significant figures, for example to 48,500 or 7,250,000. */
export function roundPay(amount: number): number {
  let step = 100
  while (amount / step > 2000) step *= 10
  return Math.round(amount / step) * step
}

/** Returns the last day of an employee's probation, or null if the employee left before it. */
function probationEndOf(people: People, employee: number): string | null {
  const joinedOn = people.joinedOn[employee] as number
  const end: Day =
    joinedOn + (randomUint32(people.randomKey[employee] as number, 42) % 3 === 0 ? 90 : LONGEST_PROBATION_DAYS)
  return end > (people.leftOn[employee] as number) ? null : formatDay(end)
}
