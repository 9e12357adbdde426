/** In charge of the rows of employees: names, addresses, titles, pay and where each stands today. */
import type { Day } from './calendar.ts'
import { writeDay } from './calendar.ts'
import type { Row } from './copy-text.ts'
import {
  CHIEF_PAY,
  departmentNames,
  families,
  familyAt,
  HEAD_PAY,
  LEVEL_PAY,
  MANAGER_PAY,
  MANAGERS,
  titleAt,
  YOUNGER_HEAD_PAY,
} from './families.ts'
import type { Hierarchy } from './hierarchy.ts'
import { CHIEF, CONTRIBUTOR, HEAD } from './hierarchy.ts'
import type { PersonName } from './names.ts'
import { personName } from './names.ts'
import { EMPLOYMENT_TYPES, familyOfDepartment, NEVER } from './openings.ts'
import type { People, Recruits } from './people.ts'
import { officeAt } from './places.ts'
import type { Plan } from './plan.ts'
import { draw, unit } from './random.ts'

export interface EmployeeSources {
  readonly plan: Plan
  readonly people: People
  readonly hierarchy: Hierarchy
  readonly recruits: Recruits
  /** 1 for everybody who is on leave today. */
  readonly away: Uint8Array
}

const HOST = 'kontor.example'

export function* employeeRows(sources: EmployeeSources): Generator<Row, void, void> {
  const { people } = sources
  const namesakes = new Map<string, number>()
  for (let employee = 0; employee < people.count; employee++) {
    const name = personName(people.key[employee] as number, people.culture[employee] as number)
    yield employeeRow(sources, employee, name, emailOf(name, namesakes))
  }
}

function emailOf({ first, last }: PersonName, namesakes: Map<string, number>): string {
  const handle = `${first.plain}.${last.plain}`
  const earlier = namesakes.get(handle) ?? 0
  namesakes.set(handle, earlier + 1)
  return `${handle}${earlier === 0 ? '' : earlier + 1}@${HOST}`
}

function employeeRow(sources: EmployeeSources, employee: number, name: PersonName, email: string): Row {
  const { people, hierarchy, recruits } = sources
  const hire = people.hire[employee] as number
  const manager = hierarchy.manager[employee] as number
  const leaving = people.leaving[employee] as number
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
    writeDay(people.joining[employee] as number),
    name.gender,
    salary(sources, employee),
    hire < 0 ? null : (recruits.candidate[hire] as number) + 1,
    EMPLOYMENT_TYPES[people.employmentType[employee] as number] as string,
    probation(people, employee),
    leaving === NEVER ? null : writeDay(leaving),
    leaving === NEVER ? 0 : 1,
  ]
}

function designation(people: People, { rank }: Hierarchy, employee: number): string {
  const department = people.department[employee] as number
  const family = familyAt(familyOfDepartment(department))
  const name = departmentNames[department]?.name ?? family.name
  switch (rank[employee]) {
    case CHIEF:
      return 'Chief Executive Officer'
    case HEAD:
      return name === family.name ? family.head : `Head of ${name}`
    case CONTRIBUTOR:
      return titleAt(family.roles[people.role[employee] as number] as string, people.level[employee] as number)
    default:
      return `${MANAGERS[(rank[employee] as number) - 1]}, ${name}`
  }
}

function statusOf({ plan, people, away }: EmployeeSources, employee: number): string {
  if (people.leaving[employee] !== NEVER) return 'terminated'
  if ((people.joining[employee] as number) > plan.asOf) return 'pending'
  if (people.suspended[employee] !== NEVER) return 'suspended'
  return away[employee] === 1 ? 'on_leave' : 'active'
}

/** A year's pay in the currency of the branch, in round figures. */
function salary({ plan, people, hierarchy }: EmployeeSources, employee: number): number {
  const { country } = officeAt(people.office[employee] as number)
  const family = familyAt(familyOfDepartment(people.department[employee] as number))
  const key = people.key[employee] as number
  const until = Math.min(plan.asOf, people.leaving[employee] as number)
  const years = Math.max(0, (until - (people.joining[employee] as number)) / 365)
  const tenure = 1 + Math.min(years, 10) * 0.012
  const spread = 0.9 + 0.1 * (unit(key, 40) + unit(key, 41))
  const type = EMPLOYMENT_TYPES[people.employmentType[employee] as number]
  const share = type === 'part_time' ? 0.6 : type === 'intern' ? 0.55 : 1
  const euros = family.pay * rankPay(people, hierarchy, employee) * country.pay * tenure * spread * share
  return roundPay(euros * country.rate)
}

function rankPay(people: People, { rank }: Hierarchy, employee: number): number {
  const place = rank[employee] as number
  if (place === CHIEF) return CHIEF_PAY
  if (place === HEAD) return (people.department[employee] as number) < families.length ? HEAD_PAY : YOUNGER_HEAD_PAY
  if (place === CONTRIBUTOR) return LEVEL_PAY[people.level[employee] as number] as number
  return MANAGER_PAY[place - 1] as number
}

/** Two and a half significant figures: 48,500 or 7,250,000. */
export function roundPay(amount: number): number {
  let step = 100
  while (amount / step > 2000) step *= 10
  return Math.round(amount / step) * step
}

/** Nothing for those who left before it was over. */
function probation(people: People, employee: number): string | null {
  const joining = people.joining[employee] as number
  const end: Day = joining + (draw(people.key[employee] as number, 42) % 3 === 0 ? 90 : 182)
  return end > (people.leaving[employee] as number) ? null : writeDay(end)
}
