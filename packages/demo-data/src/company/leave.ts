import type { Day } from '../calendar.ts'
import { addWorkdays, formatDay, monthOf, workdayOnOrAfter, workdayOnOrBefore, workdaysBetween } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { cumulativeWeights, pick, pickWeighted, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { leaveReasons } from '../vocabulary/texts.ts'
import type { Curve } from './growth.ts'
import { dayAtSum, makeCurve, sumBefore } from './growth.ts'
import { NEVER } from './openings.ts'
import type { People } from './people.ts'

export const LEAVE_TYPES = ['annual', 'sick', 'parental', 'unpaid', 'bereavement', 'study'] as const
export const LEAVE_STATUSES = ['approved', 'pending', 'rejected', 'cancelled'] as const
export const APPROVED = 0
const PENDING = 1
const ANNUAL = 0
const SICK = 1
const PARENTAL = 2
const BEREAVEMENT = 4

/** Leave requests, sorted by the day on which they were made. Requests of one employee do not overlap. */
export interface Leave {
  readonly count: number
  readonly employee: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly requestedOn: Int32Array
  readonly type: Uint8Array
  readonly status: Uint8Array
  /** 1 if the request is for half a day, otherwise 0. */
  readonly isHalfDay: Uint8Array
}

/** Requested leave begins at most this many days after the current day of the demo data. */
const MAX_DAYS_AHEAD = 70
const DAYS_PER_YEAR = 365.25
/** An employee makes on average at most one leave request in this many days. */
const DAYS_PER_REQUEST = 24
const LEAVE_BY_MONTH = [0.6, 0.8, 0.7, 1, 1, 1.3, 2.3, 2.6, 0.9, 0.9, 0.6, 2]
const WINTER = new Set([11, 12, 1, 2, 3])
const summerLeaveTypeWeights = cumulativeWeights([74, 12, 2.5, 4, 2, 5.5])
const winterLeaveTypeWeights = cumulativeWeights([55, 33, 2.5, 2.5, 2.5, 4.5])
const annualLeaveDays = [1, 1, 2, 3, 5, 5, 5, 8, 10, 10, 15] as const
const holidaySeasonLeaveDays = [3, 5, 5, 10, 10, 10, 15, 15] as const

export function makeLeave(plan: Plan, people: People): Leave {
  const first = plan.asOf - Math.round(plan.leaveYears * DAYS_PER_YEAR)
  const last = plan.asOf + MAX_DAYS_AHEAD
  const leaveCurve = makeCurve(first, last, (day) => LEAVE_BY_MONTH[monthOf(day) - 1] as number)
  const leave = emptyLeave(plan.leave)
  const requestCounts = requestCountsByEmployee(plan, people, leaveCurve)
  let firstRequest = 0
  for (let employee = 0; employee < people.count; employee++) {
    const count = requestCounts[employee] as number
    if (count > 0) addRequests({ plan, people, leave, leaveCurve, employee, count, firstRequest })
    firstRequest += count
  }
  makeOverdue(plan, leave)
  return sortByRequestDay(leave)
}

function emptyLeave(count: number): Leave {
  return {
    count,
    employee: new Int32Array(count),
    from: new Int32Array(count),
    to: new Int32Array(count),
    requestedOn: new Int32Array(count),
    type: new Uint8Array(count),
    status: new Uint8Array(count),
    isHalfDay: new Uint8Array(count),
  }
}

function leavePeriod(people: People, employee: number, leaveCurve: Curve, asOf: Day): readonly [Day, Day] {
  const joinedOn = people.joinedOn[employee] as number
  const end = leaveCurve.first + leaveCurve.sums.length - 2
  // Employees who have not started yet have no leave.
  if (joinedOn > asOf) return [NEVER, end]
  const first = Math.max(leaveCurve.first, joinedOn + 10)
  // Employees who have given notice have no leave from today on, so that their status is `active`.
  const noticeEnd = people.leavesOn[employee] === NEVER ? NEVER : asOf - 1
  const lastDays = [people.leftOn[employee] as number, people.suspendedFrom[employee] as number, noticeEnd]
  return [workdayOnOrAfter(first), workdayOnOrBefore(Math.min(end, ...lastDays))]
}

/**
 * Distributes the planned number of leave requests among employees, in proportion to the time each of them was
 * employed.
 */
function requestCountsByEmployee(plan: Plan, people: People, leaveCurve: Curve): Uint16Array {
  const limits = new Uint16Array(people.count)
  const weights = new Float64Array(people.count)
  let sum = 0
  for (let employee = 0; employee < people.count; employee++) {
    const [first, last] = leavePeriod(people, employee, leaveCurve, plan.asOf)
    if (last <= first) continue
    limits[employee] = Math.floor((last - first) / DAYS_PER_REQUEST)
    weights[employee] = sumBefore(leaveCurve, last + 1) - sumBefore(leaveCurve, first)
    sum += weights[employee] as number
  }
  return distributeRequests(plan.leave, limits, weights, sum)
}

function distributeRequests(total: number, limits: Uint16Array, weights: Float64Array, sum: number): Uint16Array {
  const requestCounts = new Uint16Array(limits.length)
  let remaining = total
  while (remaining > 0) {
    const remainingBefore = remaining
    let owedRequests = 0
    for (let employee = 0; employee < limits.length && remaining > 0; employee++) {
      owedRequests += ((weights[employee] as number) / sum) * remainingBefore
      const freeRequests = (limits[employee] as number) - (requestCounts[employee] as number)
      const newRequests = Math.min(freeRequests, remaining, Math.round(owedRequests))
      requestCounts[employee] = (requestCounts[employee] as number) + newRequests
      owedRequests -= newRequests
      remaining -= newRequests
    }
    if (remaining === remainingBefore) throw new RangeError('too many leave requests for the number of employees')
  }
  return requestCounts
}

interface EmployeeRequests {
  readonly plan: Plan
  readonly people: People
  readonly leave: Leave
  readonly leaveCurve: Curve
  readonly employee: number
  readonly count: number
  /** Index of the first leave request of this employee. */
  readonly firstRequest: number
}

/**
 * Splits the employment of an employee into as many periods of equal weight as there are requests, and adds one leave
 * request to each period.
 */
function addRequests({ plan, people, leave, leaveCurve, employee, count, firstRequest }: EmployeeRequests): void {
  const [first, last] = leavePeriod(people, employee, leaveCurve, plan.asOf)
  const startWeight = sumBefore(leaveCurve, first)
  const totalWeight = sumBefore(leaveCurve, last + 1) - startWeight
  const employeeKey = randomUint32(streams(plan.seed)('leave'), employee)
  let firstFreeDay = first
  for (let index = 0; index < count; index++) {
    const randomKey = randomUint32(employeeKey, index)
    // Reserves seven days for each of the employee's remaining leave requests.
    const latestDay = last - (count - index - 1) * 7
    const preferredDay = dayAtSum(
      leaveCurve,
      startWeight + ((index + randomFraction(randomKey, 1)) / count) * totalWeight,
    )
    const from = workdayOnOrAfter(Math.min(Math.max(preferredDay, firstFreeDay), Math.max(firstFreeDay, latestDay - 6)))
    const nextPeriodStart =
      index + 1 === count ? last : dayAtSum(leaveCurve, startWeight + ((index + 1) / count) * totalWeight)
    const latestEnd = Math.max(from, Math.min(latestDay, nextPeriodStart))
    const request = firstRequest + index
    addRequest({ plan, leave, request, from, latestEnd, randomKey })
    leave.employee[request] = employee
    leave.requestedOn[request] = Math.max(leave.requestedOn[request] as number, people.joinedOn[employee] as number)
    firstFreeDay = (leave.to[request] as number) + 1
  }
}

interface NewRequest {
  readonly plan: Plan
  readonly leave: Leave
  readonly request: number
  readonly from: Day
  /** The latest day on which the requested leave may end. */
  readonly latestEnd: Day
  readonly randomKey: number
}

function addRequest({ plan, leave, request, from, latestEnd, randomKey }: NewRequest): void {
  const month = monthOf(from)
  let type = pickWeighted(
    WINTER.has(month) ? winterLeaveTypeWeights : summerLeaveTypeWeights,
    randomFraction(randomKey, 2),
  )
  const availableDays = workdaysBetween(from, latestEnd)
  if (type === PARENTAL && availableDays < 30) type = ANNUAL
  if ((type === SICK || type === BEREAVEMENT) && from > plan.asOf) type = ANNUAL
  const wantedDays = leaveLength(type, month, randomKey)
  const to = addWorkdays(from, Math.max(1, Math.min(wantedDays, availableDays)) - 1)
  leave.from[request] = from
  leave.to[request] = to
  leave.type[request] = type
  leave.requestedOn[request] = requestDay(type, from, plan.asOf, randomKey)
  leave.status[request] = statusOf(type, from, plan.asOf, randomKey)
  leave.isHalfDay[request] = to === from && type !== BEREAVEMENT && randomFraction(randomKey, 5) < 0.3 ? 1 : 0
}

function leaveLength(type: number, month: number, randomKey: number): number {
  switch (LEAVE_TYPES[type]) {
    case 'annual':
      return pick(
        month === 7 || month === 8 || month === 12 ? holidaySeasonLeaveDays : annualLeaveDays,
        randomFraction(randomKey, 3),
      )
    case 'sick':
      return 1 + Math.floor(randomFraction(randomKey, 3) * randomFraction(randomKey, 4) * 10)
    case 'parental':
      return 40 + randomBelow(randomKey, 3, 60)
    case 'unpaid':
      return 5 + randomBelow(randomKey, 3, 16)
    case 'study':
      return 1 + randomBelow(randomKey, 3, 5)
    default:
      return 2 + randomBelow(randomKey, 3, 3)
  }
}

function requestDay(type: number, from: Day, asOf: Day, randomKey: number): Day {
  const daysAhead =
    type === SICK || type === BEREAVEMENT
      ? 0
      : type === PARENTAL
        ? 60 + randomBelow(randomKey, 6, 60)
        : 7 + randomBelow(randomKey, 6, 70)
  return Math.min(asOf, from - daysAhead)
}

function statusOf(type: number, from: Day, asOf: Day, randomKey: number): number {
  const fraction = randomFraction(randomKey, 7)
  if (from > asOf && fraction < 0.45) return PENDING
  if (type === SICK || type === BEREAVEMENT || type === PARENTAL) return fraction < 0.98 ? APPROVED : 3
  return fraction < 0.89 ? APPROVED : fraction < 0.945 ? 2 : 3
}

/** Number of pending requests whose leave has begun, as a share of the number of employees. */
const OVERDUE_SHARE = 0.012
const OVERDUE_DAYS = 120

/** Makes some of the latest requests pending although their leave has begun. */
function makeOverdue(plan: Plan, leave: Leave): void {
  const stream = streams(plan.seed)('overdue')
  const eligible: number[] = []
  for (let request = 0; request < leave.count; request++) {
    const daysOverdue = plan.asOf - (leave.from[request] as number)
    if (daysOverdue < 1 || daysOverdue > OVERDUE_DAYS) continue
    if (leave.status[request] === APPROVED && leave.type[request] === ANNUAL) eligible.push(request)
  }
  eligible.sort((a, b) => (leave.from[b] as number) - (leave.from[a] as number) || a - b)
  const count = Math.max(1, Math.round(plan.employees * OVERDUE_SHARE))
  const latest = eligible.slice(0, 3 * count)
  for (let index = 0; index < count && latest.length > 0; index++)
    leave.status[pick(latest, (index + randomFraction(stream, index)) / count)] = PENDING
}

/** Sorts leave requests by the day on which they were made, then by employee. */
function sortByRequestDay(leave: Leave): Leave {
  const requestOrder = Int32Array.from(leave.requestedOn.keys())
  requestOrder.sort((a, b) => (leave.requestedOn[a] as number) - (leave.requestedOn[b] as number) || a - b)
  const result = emptyLeave(leave.count)
  for (let index = 0; index < requestOrder.length; index++) {
    const request = requestOrder[index] as number
    result.employee[index] = leave.employee[request] as number
    result.from[index] = leave.from[request] as number
    result.to[index] = leave.to[request] as number
    result.requestedOn[index] = leave.requestedOn[request] as number
    result.type[index] = leave.type[request] as number
    result.status[index] = leave.status[request] as number
    result.isHalfDay[index] = leave.isHalfDay[request] as number
  }
  return result
}

export function* leaveRows(plan: Plan, leave: Leave): Generator<Row, void, void> {
  const stream = streams(plan.seed)('reasons')
  for (let request = 0; request < leave.count; request++) {
    const from = leave.from[request] as number
    const to = leave.to[request] as number
    const days = leave.isHalfDay[request] === 1 ? 0.5 : workdaysBetween(from, to)
    const type = LEAVE_TYPES[leave.type[request] as number] as string
    const hasNoReason = randomUint32(stream, request) % 4 === 0
    yield [
      request + 1,
      (leave.employee[request] as number) + 1,
      type,
      formatDay(from),
      formatDay(to),
      days,
      LEAVE_STATUSES[leave.status[request] as number] as string,
      hasNoReason ? null : pick(reasonsFor(type, days, monthOf(from)), randomFraction(stream, request)),
      formatDay(leave.requestedOn[request] as number),
    ]
  }
}

function reasonsFor(type: string, days: number, month: number): readonly string[] {
  const reasonGroup =
    type !== 'annual'
      ? type
      : days < 3
        ? 'short'
        : month === 7 || month === 8
          ? 'summer'
          : month === 12
            ? 'winter'
            : 'annual'
  return leaveReasons[reasonGroup] as readonly string[]
}

/**
 * Returns 1 for each employee who is on approved full-day leave on `day`, and 0 for all others. Employees with 1 get
 * the status `on_leave`.
 */
export function employeesOnLeave(leave: Leave, people: People, day: Day): Uint8Array {
  const onLeave = new Uint8Array(people.count)
  for (let request = 0; request < leave.count; request++) {
    if (leave.status[request] !== APPROVED || leave.isHalfDay[request] === 1) continue
    if ((leave.from[request] as number) <= day && day <= (leave.to[request] as number))
      onLeave[leave.employee[request] as number] = 1
  }
  return onLeave
}
