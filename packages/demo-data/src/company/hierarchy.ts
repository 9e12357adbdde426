import type { Plan } from '../plan.ts'
import { randomFraction, randomUint32, streams } from '../random.ts'
import { NEVER } from './openings.ts'
import type { People } from './people.ts'

export const CONTRIBUTOR = 0
export const HEAD = 6
export const CHIEF = 7

/** The reporting lines: one chief executive, one head per department, managers, and teams of about eight. */
export interface Hierarchy {
  /** Index of each employee's manager, or -1 for the chief executive. */
  readonly managerOf: Int32Array
  /** For each employee: CONTRIBUTOR, a management level from 1 to 5, HEAD or CHIEF. */
  readonly rankOf: Uint8Array
  /** Current managers of each department, beginning with its head. */
  readonly managersByDepartment: readonly Int32Array[]
}

const DIRECT_REPORTS = 8
const MAX_HEAD_REPORTS = 10
const MAX_MANAGEMENT_LEVELS = 5

export function makeHierarchy(plan: Plan, people: People): Hierarchy {
  const managerOf = new Int32Array(people.count).fill(-1)
  const rankOf = new Uint8Array(people.count)
  const managersByDepartment: Int32Array[] = []
  const employees = employeesByDepartment(plan, people)
  rankOf[0] = CHIEF
  for (let department = 0; department < plan.departments; department++) {
    const head = department + 1
    rankOf[head] = HEAD
    managerOf[head] = 0
    const departmentManagers = promoteManagers(employees[department] as number[], head, {
      plan,
      people,
      managerOf,
      rankOf,
    })
    managersByDepartment.push(Int32Array.from(departmentManagers))
  }
  assignFormerEmployees(plan, people, managerOf, managersByDepartment)
  return { managerOf, rankOf, managersByDepartment }
}

function employeesByDepartment(plan: Plan, people: People): number[][] {
  const employees: number[][] = Array.from({ length: plan.departments }, () => [])
  for (let employee = plan.departments + 1; employee < people.count; employee++)
    if (people.leftOn[employee] === NEVER) employees[people.department[employee] as number]?.push(employee)
  return employees
}

interface HierarchyInput {
  readonly plan: Plan
  readonly people: People
  readonly managerOf: Int32Array
  readonly rankOf: Uint8Array
}

/**
 * Promotes employees of a department to managers and returns all managers. It creates enough management levels that the
 * head of the department has at most MAX_HEAD_REPORTS direct reports.
 */
function promoteManagers(employees: readonly number[], head: number, input: HierarchyInput): number[] {
  const { plan, people, managerOf, rankOf } = input
  const stream = streams(plan.seed)('managers')
  const isEligible = (employee: number) =>
    people.employmentType[employee] === 0 &&
    people.suspendedFrom[employee] === NEVER &&
    (people.joinedOn[employee] as number) < plan.asOf - 250
  const merit = (employee: number) =>
    (plan.asOf - (people.joinedOn[employee] as number)) *
    (0.4 + randomFraction(stream, employee)) *
    (1 + (people.level[employee] as number) / 4)
  const eligible = employees.filter(isEligible).map((employee) => ({ employee, merit: merit(employee) }))
  eligible.sort((a, b) => b.merit - a.merit || a.employee - b.employee)
  const levels: number[][] = []
  let promotedCount = 0
  // Management levels are filled from the top, because the employees with the highest merit get the highest level.
  for (const [level, managerCount] of managersPerLevel(employees.length).entries().toArray().reverse()) {
    levels[level] = eligible.slice(promotedCount, promotedCount + managerCount).map(({ employee }) => employee)
    promotedCount += managerCount
    for (const employee of levels[level]) rankOf[employee] = level + 1
  }
  let managersAbove: readonly number[] = [head]
  for (let level = levels.length - 1; level >= 0; level--) {
    const chosen = levels[level] as number[]
    assignManagers(chosen, managersAbove, people, managerOf)
    if (chosen.length > 0) managersAbove = chosen
  }
  assignManagers(
    employees.filter((employee) => rankOf[employee] === CONTRIBUTOR),
    managersAbove,
    people,
    managerOf,
  )
  return [head, ...levels.flat()]
}

/** Returns the number of managers in each management level, starting with the lowest level. */
function managersPerLevel(employees: number): number[] {
  const levels: number[] = []
  for (let managerCount = employees; managerCount > MAX_HEAD_REPORTS && levels.length < MAX_MANAGEMENT_LEVELS; ) {
    managerCount = Math.ceil(managerCount / (levels.length === 0 ? DIRECT_REPORTS + 1 : DIRECT_REPORTS))
    levels.push(managerCount)
  }
  return levels
}

/** Assigns employees to managers so that most teams and their manager are in the same office. */
function assignManagers(
  reports: readonly number[],
  managers: readonly number[],
  people: People,
  managerOf: Int32Array,
): void {
  const byOffice = (a: number, b: number) => (people.office[a] as number) - (people.office[b] as number) || a - b
  const sortedReports = [...reports].sort(byOffice)
  const sortedManagers = [...managers].sort(byOffice)
  for (const [index, employee] of sortedReports.entries())
    managerOf[employee] = sortedManagers[Math.floor((index * sortedManagers.length) / sortedReports.length)] as number
}

/** Assigns each former employee to a manager of their department who joined before the employee left. */
function assignFormerEmployees(
  plan: Plan,
  people: People,
  managerOf: Int32Array,
  managersByDepartment: readonly Int32Array[],
): void {
  const stream = streams(plan.seed)('former')
  for (let employee = plan.departments + 1; employee < people.count; employee++) {
    if (people.leftOn[employee] === NEVER) continue
    const departmentManagers = managersByDepartment[people.department[employee] as number] as Int32Array
    const chosen = departmentManagers[randomUint32(stream, employee) % departmentManagers.length] as number
    const worksAtSameTime = (people.joinedOn[chosen] as number) < (people.leftOn[employee] as number)
    managerOf[employee] = worksAtSameTime ? chosen : (departmentManagers[0] as number)
  }
}
