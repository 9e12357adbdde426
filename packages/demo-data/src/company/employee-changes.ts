/**
 * Generates the careers of employees: promotions, moves to another department or office, other contracts, and new
 * managers. The present values are those of the hierarchy; what was before is derived from them.
 */
import type { Day } from '../calendar.ts'
import { workdayOnOrAfter, workdayOnOrBefore } from '../calendar.ts'
import type { ColumnValue } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { familyAt, titleAt } from '../vocabulary/job-families.ts'
import { officeAt } from '../vocabulary/locations.ts'
import { designation } from './employees.ts'
import type { Hierarchy } from './hierarchy.ts'
import { CONTRIBUTOR } from './hierarchy.ts'
import { EMPLOYMENT_TYPES, familyOfDepartment } from './openings.ts'
import type { People } from './people.ts'

/** A change of a tracked field. */
export interface Change {
  readonly field: string
  readonly old: ColumnValue
  readonly new: ColumnValue
  readonly on: Day
  /** The day on which an application entered the old stage. */
  readonly since?: Day
}

const TRANSFER_SHARE = 0.09
const MOVE_SHARE = 0.06
const EARLIER_PART_TIME_SHARE = 0.04
const EARLIER_FULL_TIME_SHARE = 0.4
/** Only employees who were there for so many days can have changed department, office or contract. */
const MIN_DAYS = 400
const FIRST_CHANGE_AFTER = 150
/** A transfer that is as near to a promotion comes with it. */
const TRANSFER_AND_PROMOTION_DAYS = 180
const FULL_TIME = 0
const PART_TIME = 1
const SENIOR = 2

/** How an employee became the manager of a team. */
interface Appointment {
  readonly day: Day
  /** The former employee who managed the team until the day before; undefined if the team was new. */
  readonly predecessor?: number
}

/** The tracked values of an employee on a day, in the order of the fields. */
interface Values {
  readonly dept_id: ColumnValue
  readonly designation: ColumnValue
  readonly manager_id: ColumnValue
  readonly branch: ColumnValue
  readonly employment_type: ColumnValue
}

export function* employeeChanges(
  plan: Plan,
  people: People,
  hierarchy: Hierarchy,
): Generator<readonly [employee: number, changes: readonly Change[]], void, void> {
  const appointments = makeAppointments(plan, people, hierarchy)
  const stream = streams(plan.seed)('careers')
  // The chief executive and the heads of departments founded the company.
  for (let employee = plan.departments + 1; employee < people.count; employee++) {
    const career = { plan, people, hierarchy, appointments, employee, randomKey: randomUint32(stream, employee) }
    yield [employee, changesOf(career)]
  }
}

/**
 * Each manager took over a team on the first working day after a senior employee of the department left, or else got a new
 * team. The predecessors reported to the head of the department, so reporting lines of the past have no cycles either.
 */
function makeAppointments(plan: Plan, people: People, hierarchy: Hierarchy): ReadonlyMap<number, Appointment> {
  const stream = streams(plan.seed)('appointments')
  const appointments = new Map<number, Appointment>()
  const predecessors: number[][] = Array.from({ length: plan.departments }, () => [])
  for (let employee = plan.departments + 1; employee < people.count; employee++) {
    const department = people.department[employee] as number
    const leftOn = people.leftOn[employee] as number
    const couldManage =
      leftOn - (people.joinedOn[employee] as number) > MIN_DAYS && (people.level[employee] as number) >= SENIOR
    if (leftOn < plan.asOf - 7 && couldManage && hierarchy.managerOf[employee] === department + 1)
      predecessors[department]?.push(employee)
  }
  for (const [department, [, ...managers]] of hierarchy.managersByDepartment.map((all) => [...all]).entries())
    for (const manager of managers) {
      const joinedOn = people.joinedOn[manager] as number
      const former = predecessors[department] as number[]
      const index = former.findIndex((employee) => (people.leftOn[employee] as number) > joinedOn + FIRST_CHANGE_AFTER)
      const [predecessor] = index === -1 ? [] : former.splice(index, 1)
      const share = 0.5 + 0.4 * randomFraction(stream, manager)
      appointments.set(
        manager,
        predecessor === undefined
          ? { day: workdayOnOrBefore(joinedOn + Math.floor(share * (plan.asOf - joinedOn))) }
          : { day: workdayOnOrAfter((people.leftOn[predecessor] as number) + 1), predecessor },
      )
    }
  return appointments
}

interface Career {
  readonly plan: Plan
  readonly people: People
  readonly hierarchy: Hierarchy
  readonly appointments: ReadonlyMap<number, Appointment>
  readonly employee: number
  readonly randomKey: number
}

function changesOf(career: Career): Change[] {
  const { plan, people, employee } = career
  const lastDay = Math.min(plan.asOf, people.leftOn[employee] as number)
  const { days, valuesOn } = describeCareer(career)
  const changes: Change[] = []
  let before = valuesOn(Number.NEGATIVE_INFINITY)
  for (const day of days.toSorted((a, b) => a - b)) {
    if (day > lastDay) break
    const after = valuesOn(day)
    for (const field of Object.keys(after) as (keyof Values)[])
      if (before[field] !== after[field]) changes.push({ field, old: before[field], new: after[field], on: day })
    before = after
  }
  return changes
}

/** The days on which something changes, and the values from each day on. */
function describeCareer(career: Career): { days: readonly Day[]; valuesOn: (day: Day) => Values } {
  const { people, hierarchy, appointments, employee } = career
  const promotions = people.promotedOn.get(employee) ?? []
  const appointment = appointments.get(employee)
  const transfer = transferOf(career)
  const move = moveOf(career)
  const contract = contractOf(career)
  const handover = handoverOf(career)
  const department = people.department[employee] as number
  const presentManager = hierarchy.managerOf[employee] as number
  const presentTitle = designation(people, hierarchy, employee)
  const role = familyAt(familyOfDepartment(department)).roles[people.role[employee] as number] as string
  const level = people.level[employee] as number
  const titleOn = (day: Day): string => {
    if (appointment === undefined ? hierarchy.rankOf[employee] !== CONTRIBUTOR : day >= appointment.day)
      return presentTitle
    const laterPromotions = promotions.filter((promotion) => promotion > day).length
    return titleAt(transfer !== undefined && day < transfer.day ? transfer.role : role, level - laterPromotions)
  }
  const managerOn = (day: Day): number => {
    if (transfer !== undefined && day < transfer.day) return transfer.department + 1
    return handover !== undefined && day < handover.day ? handover.formerManager : presentManager
  }
  return {
    days: [
      ...new Set([
        ...promotions,
        ...[appointment, transfer, move, contract, handover].flatMap((each) => (each === undefined ? [] : [each.day])),
      ]),
    ],
    valuesOn: (day) => ({
      dept_id: (transfer !== undefined && day < transfer.day ? transfer.department : department) + 1,
      designation: titleOn(day),
      manager_id: managerOn(day) + 1,
      branch: officeAt(move !== undefined && day < move.day ? move.office : (people.office[employee] as number)).city,
      employment_type: EMPLOYMENT_TYPES[
        contract !== undefined && day < contract.day ? contract.type : (people.employmentType[employee] as number)
      ] as string,
    }),
  }
}

/** A day in the middle of the employment, or undefined if the employment is too short or the chance too small. */
function dayOfChange(
  { plan, people, employee, randomKey }: Career,
  { position, share }: { readonly position: number; readonly share: number },
): Day | undefined {
  const joinedOn = people.joinedOn[employee] as number
  const lastDay = Math.min(plan.asOf, people.leftOn[employee] as number)
  if (lastDay - joinedOn < MIN_DAYS || randomFraction(randomKey, position) >= share) return undefined
  const firstDay = joinedOn + FIRST_CHANGE_AFTER
  return workdayOnOrBefore(firstDay + randomBelow(randomKey, position + 1, lastDay - firstDay - 60))
}

/** A move from another department, whose head was the manager. People who were hired for an opening stayed in its department. */
function transferOf(career: Career): { day: Day; department: number; role: string } | undefined {
  const { plan, people, hierarchy, employee, randomKey } = career
  if (hierarchy.rankOf[employee] !== CONTRIBUTOR || (people.hire[employee] as number) >= 0) return undefined
  const day = dayOfChange(career, { position: 1, share: TRANSFER_SHARE })
  if (day === undefined) return undefined
  const promotion = people.promotedOn.get(employee)?.find((each) => Math.abs(each - day) < TRANSFER_AND_PROMOTION_DAYS)
  const shift = 1 + randomBelow(randomKey, 3, plan.departments - 1)
  const department = ((people.department[employee] as number) + shift) % plan.departments
  const { roles } = familyAt(familyOfDepartment(department))
  return { day: promotion ?? day, department, role: roles[randomBelow(randomKey, 4, roles.length)] as string }
}

function moveOf(career: Career): { day: Day; office: number } | undefined {
  const { plan, people, employee, randomKey } = career
  const day = dayOfChange(career, { position: 10, share: MOVE_SHARE })
  if (day === undefined) return undefined
  const office = ((people.office[employee] as number) + 1 + randomBelow(randomKey, 12, plan.offices - 1)) % plan.offices
  return { day, office }
}

function contractOf(career: Career): { day: Day; type: number } | undefined {
  const { people, employee } = career
  const keptOnFrom = people.keptOnFrom.get(employee)
  if (keptOnFrom !== undefined) return { day: keptOnFrom, type: EMPLOYMENT_TYPES.indexOf('intern') }
  const type = people.employmentType[employee] as number
  if (type !== FULL_TIME && type !== PART_TIME) return undefined
  const share = type === FULL_TIME ? EARLIER_PART_TIME_SHARE : EARLIER_FULL_TIME_SHARE
  const day = dayOfChange(career, { position: 20, share })
  return day === undefined ? undefined : { day, type: type === FULL_TIME ? PART_TIME : FULL_TIME }
}

/**
 * The change to the present manager: when the predecessor left, if the employee worked for the predecessor, or from the head of the
 * department, if the employee was there before the present manager.
 */
function handoverOf({
  people,
  hierarchy,
  appointments,
  employee,
}: Career): { day: Day; formerManager: number } | undefined {
  const manager = hierarchy.managerOf[employee] as number
  const appointment = appointments.get(manager)
  if (appointment === undefined) return undefined
  const { day, predecessor } = appointment
  const joinedOn = people.joinedOn[employee] as number
  const isThere = joinedOn < day && day <= (people.leftOn[employee] as number)
  const workedForPredecessor =
    predecessor !== undefined && predecessor !== employee && joinedOn >= (people.joinedOn[predecessor] as number)
  if (isThere && workedForPredecessor) return { day, formerManager: predecessor }
  const managerJoinedOn = people.joinedOn[manager] as number
  if (joinedOn >= managerJoinedOn) return undefined
  return { day: isThere ? day : managerJoinedOn, formerManager: (people.department[employee] as number) + 1 }
}
