/** In charge of who reports to whom: one tree with the chief executive at the top, a head for each department and teams of about eight. */
import { NEVER } from './openings.ts'
import type { People } from './people.ts'
import type { Plan } from './plan.ts'
import { draw, streams, unit } from './random.ts'

export const CONTRIBUTOR = 0
export const HEAD = 6
export const CHIEF = 7

export interface Hierarchy {
  /** Index of the manager, or -1 at the top. */
  readonly manager: Int32Array
  /** CONTRIBUTOR, a line of management from 1 to 5, HEAD or CHIEF. */
  readonly rank: Uint8Array
  /** All who lead others now, by department. */
  readonly managers: readonly Int32Array[]
}

const SPAN = 8
const WIDEST = 10
const LINES = 5

export function makeHierarchy(plan: Plan, people: People): Hierarchy {
  const manager = new Int32Array(people.count).fill(-1)
  const rank = new Uint8Array(people.count)
  const managers: Int32Array[] = []
  const staff = staffByDepartment(plan, people)
  rank[0] = CHIEF
  for (let department = 0; department < plan.departments; department++) {
    const head = department + 1
    rank[head] = HEAD
    manager[head] = 0
    const leading = arrange(staff[department] as number[], head, { plan, people, manager, rank })
    managers.push(Int32Array.from(leading))
  }
  placeFormer(plan, people, manager, managers)
  return { manager, rank, managers }
}

function staffByDepartment(plan: Plan, people: People): number[][] {
  const staff: number[][] = Array.from({ length: plan.departments }, () => [])
  for (let employee = plan.departments + 1; employee < people.count; employee++)
    if (people.leaving[employee] === NEVER) staff[people.department[employee] as number]?.push(employee)
  return staff
}

interface Ranks {
  readonly plan: Plan
  readonly people: People
  readonly manager: Int32Array
  readonly rank: Uint8Array
}

/** Promotes from the ranks until the head leads no more than a handful, and returns all who lead. */
function arrange(staff: readonly number[], head: number, ranks: Ranks): number[] {
  const { plan, people, manager, rank } = ranks
  const stream = streams(plan.seed)('managers')
  const fit = (employee: number) =>
    people.employmentType[employee] === 0 &&
    people.suspended[employee] === NEVER &&
    (people.joining[employee] as number) < plan.asOf - 250
  const merit = (employee: number) =>
    (plan.asOf - (people.joining[employee] as number)) *
    (0.4 + unit(stream, employee)) *
    (1 + (people.level[employee] as number) / 4)
  const eligible = staff.filter(fit).map((employee) => ({ employee, merit: merit(employee) }))
  eligible.sort((a, b) => b.merit - a.merit || a.employee - b.employee)
  const lines: number[][] = []
  let taken = 0
  // The best lead from the top line, so the lines are drawn from above.
  for (const [line, width] of widths(staff.length).entries().toArray().reverse()) {
    lines[line] = eligible.slice(taken, taken + width).map(({ employee }) => employee)
    taken += width
    for (const employee of lines[line]) rank[employee] = line + 1
  }
  let above: readonly number[] = [head]
  for (let line = lines.length - 1; line >= 0; line--) {
    const chosen = lines[line] as number[]
    assign(chosen, above, people, manager)
    if (chosen.length > 0) above = chosen
  }
  assign(
    staff.filter((employee) => rank[employee] === CONTRIBUTOR),
    above,
    people,
    manager,
  )
  return [head, ...lines.flat()]
}

/** How many lead in each line, the first line first. */
function widths(staff: number): number[] {
  const lines: number[] = []
  for (let width = staff; width > WIDEST && lines.length < LINES; ) {
    width = Math.ceil(width / (lines.length === 0 ? SPAN + 1 : SPAN))
    lines.push(width)
  }
  return lines
}

/** Gives neighbours in the same office the same manager, and prefers one who sits there too. */
function assign(reports: readonly number[], managers: readonly number[], people: People, manager: Int32Array): void {
  const byOffice = (a: number, b: number) => (people.office[a] as number) - (people.office[b] as number) || a - b
  const sorted = [...reports].sort(byOffice)
  const leads = [...managers].sort(byOffice)
  for (const [index, employee] of sorted.entries())
    manager[employee] = leads[Math.floor((index * leads.length) / sorted.length)] as number
}

/** Former employees keep the manager they last had: somebody of the department who was there while they were. */
function placeFormer(plan: Plan, people: People, manager: Int32Array, managers: readonly Int32Array[]): void {
  const stream = streams(plan.seed)('former')
  for (let employee = plan.departments + 1; employee < people.count; employee++) {
    if (people.leaving[employee] === NEVER) continue
    const leading = managers[people.department[employee] as number] as Int32Array
    const chosen = leading[draw(stream, employee) % leading.length] as number
    const overlapped = (people.joining[chosen] as number) < (people.leaving[employee] as number)
    manager[employee] = overlapped ? chosen : (leading[0] as number)
  }
}
