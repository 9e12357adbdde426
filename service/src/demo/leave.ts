/** In charge of leave: when people rest, fall ill or have children, never outside their employment and never twice at once. */
import type { Day } from './calendar.ts'
import { addWorked, lastWorked, monthOf, nextWorked, workedBetween, writeDay } from './calendar.ts'
import type { Row } from './copy-text.ts'
import type { Curve } from './growth.ts'
import { dayAt, makeCurve, sumBefore } from './growth.ts'
import { NEVER } from './openings.ts'
import type { People } from './people.ts'
import type { Plan } from './plan.ts'
import { below, climb, draw, ladder, pick, streams, unit } from './random.ts'
import { leaveReasons } from './texts.ts'

export const LEAVE_TYPES = ['annual', 'sick', 'parental', 'unpaid', 'bereavement', 'study'] as const
export const LEAVE_STATUSES = ['approved', 'pending', 'rejected', 'cancelled'] as const
export const APPROVED = 0
const PENDING = 1
const ANNUAL = 0
const SICK = 1
const PARENTAL = 2
const BEREAVEMENT = 4

/** Requests in the order in which they were handed in. */
export interface Leave {
  readonly count: number
  readonly employee: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly applied: Int32Array
  readonly type: Uint8Array
  readonly status: Uint8Array
  /** 1 where a single day was only half taken. */
  readonly half: Uint8Array
}

const AHEAD_DAYS = 70
const DAYS_PER_YEAR = 365.25
/** Every request needs about this many days of employment around it. */
const ROOM = 24
const RESTING_BY_MONTH = [0.6, 0.8, 0.7, 1, 1, 1.3, 2.3, 2.6, 0.9, 0.9, 0.6, 2]
const WINTER = new Set([11, 12, 1, 2, 3])
const summerSteps = ladder([74, 12, 2.5, 4, 2, 5.5])
const winterSteps = ladder([55, 33, 2.5, 2.5, 2.5, 4.5])
const annualLengths = [1, 1, 2, 3, 5, 5, 5, 8, 10, 10, 15] as const
const summerLengths = [3, 5, 5, 10, 10, 10, 15, 15] as const

export function makeLeave(plan: Plan, people: People): Leave {
  const first = plan.asOf - Math.round(plan.leaveYears * DAYS_PER_YEAR)
  const last = plan.asOf + AHEAD_DAYS
  const resting = makeCurve(first, last, (day) => RESTING_BY_MONTH[monthOf(day) - 1] as number)
  const leave = emptyLeave(plan.leave)
  const shares = shareLeave(plan, people, resting)
  let written = 0
  for (let employee = 0; employee < people.count; employee++) {
    const count = shares[employee] as number
    if (count > 0) plotOne({ plan, people, leave, resting, employee, count, at: written })
    written += count
  }
  return inOrder(leave)
}

function emptyLeave(count: number): Leave {
  return {
    count,
    employee: new Int32Array(count),
    from: new Int32Array(count),
    to: new Int32Array(count),
    applied: new Int32Array(count),
    type: new Uint8Array(count),
    status: new Uint8Array(count),
    half: new Uint8Array(count),
  }
}

function windowOf(people: People, employee: number, resting: Curve, asOf: Day): readonly [Day, Day] {
  const joining = people.joining[employee] as number
  const end = resting.first + resting.sums.length - 2
  // Who has not started yet has nothing to take leave from.
  if (joining > asOf) return [NEVER, end]
  const first = Math.max(resting.first, joining + 10)
  return [
    nextWorked(first),
    lastWorked(Math.min(end, people.leaving[employee] as number, people.suspended[employee] as number)),
  ]
}

/** Deals out the planned number of requests by the time each person had to take leave in. */
function shareLeave(plan: Plan, people: People, resting: Curve): Uint16Array {
  const rooms = new Uint16Array(people.count)
  const weights = new Float64Array(people.count)
  let sum = 0
  for (let employee = 0; employee < people.count; employee++) {
    const [first, last] = windowOf(people, employee, resting, plan.asOf)
    if (last <= first) continue
    rooms[employee] = Math.floor((last - first) / ROOM)
    weights[employee] = sumBefore(resting, last + 1) - sumBefore(resting, first)
    sum += weights[employee] as number
  }
  return dealOut(plan.leave, rooms, weights, sum)
}

function dealOut(total: number, rooms: Uint16Array, weights: Float64Array, sum: number): Uint16Array {
  const shares = new Uint16Array(rooms.length)
  let left = total
  while (left > 0) {
    const before = left
    let owed = 0
    for (let employee = 0; employee < rooms.length && left > 0; employee++) {
      owed += ((weights[employee] as number) / sum) * before
      const free = (rooms[employee] as number) - (shares[employee] as number)
      const share = Math.min(free, left, Math.round(owed))
      shares[employee] = (shares[employee] as number) + share
      owed -= share
      left -= share
    }
    if (left === before) throw new RangeError('there is no room for so many leave requests')
  }
  return shares
}

interface PlotOne {
  readonly plan: Plan
  readonly people: People
  readonly leave: Leave
  readonly resting: Curve
  readonly employee: number
  readonly count: number
  /** Where this person's requests begin in the arrays. */
  readonly at: number
}

/** Cuts the person's time into one stretch per request, equally restful, and places a request in each. */
function plotOne({ plan, people, leave, resting, employee, count, at }: PlotOne): void {
  const [first, last] = windowOf(people, employee, resting, plan.asOf)
  const start = sumBefore(resting, first)
  const span = sumBefore(resting, last + 1) - start
  const key = draw(streams(plan.seed)('leave'), employee)
  let free = first
  for (let index = 0; index < count; index++) {
    const chance = draw(key, index)
    // What is still to come keeps its room, however crowded the summer is.
    const latest = last - (count - index - 1) * 7
    const wished = dayAt(resting, start + ((index + unit(chance, 1)) / count) * span)
    const from = nextWorked(Math.min(Math.max(wished, free), Math.max(free, latest - 6)))
    const next = index + 1 === count ? last : dayAt(resting, start + ((index + 1) / count) * span)
    const until = Math.max(from, Math.min(latest, next))
    const request = at + index
    fillOne({ plan, leave, request, from, until, chance })
    leave.employee[request] = employee
    leave.applied[request] = Math.max(leave.applied[request] as number, people.joining[employee] as number)
    free = (leave.to[request] as number) + 1
  }
}

interface FillOne {
  readonly plan: Plan
  readonly leave: Leave
  readonly request: number
  readonly from: Day
  /** The last day the request may reach. */
  readonly until: Day
  readonly chance: number
}

function fillOne({ plan, leave, request, from, until, chance }: FillOne): void {
  const month = monthOf(from)
  let type = climb(WINTER.has(month) ? winterSteps : summerSteps, unit(chance, 2))
  const room = workedBetween(from, until)
  if (type === PARENTAL && room < 30) type = ANNUAL
  if ((type === SICK || type === BEREAVEMENT) && from > plan.asOf) type = ANNUAL
  const wanted = length(type, month, chance)
  const to = addWorked(from, Math.max(1, Math.min(wanted, room)) - 1)
  leave.from[request] = from
  leave.to[request] = to
  leave.type[request] = type
  leave.applied[request] = appliedOn(type, from, plan.asOf, chance)
  leave.status[request] = statusOf(type, from, plan.asOf, chance)
  leave.half[request] = to === from && type !== BEREAVEMENT && unit(chance, 5) < 0.3 ? 1 : 0
}

function length(type: number, month: number, chance: number): number {
  switch (LEAVE_TYPES[type]) {
    case 'annual':
      return pick(month === 7 || month === 8 || month === 12 ? summerLengths : annualLengths, unit(chance, 3))
    case 'sick':
      return 1 + Math.floor(unit(chance, 3) * unit(chance, 4) * 10)
    case 'parental':
      return 40 + below(chance, 3, 60)
    case 'unpaid':
      return 5 + below(chance, 3, 16)
    case 'study':
      return 1 + below(chance, 3, 5)
    default:
      return 2 + below(chance, 3, 3)
  }
}

function appliedOn(type: number, from: Day, asOf: Day, chance: number): Day {
  const ahead =
    type === SICK || type === BEREAVEMENT ? 0 : type === PARENTAL ? 60 + below(chance, 6, 60) : 7 + below(chance, 6, 70)
  return Math.min(asOf, from - ahead)
}

function statusOf(type: number, from: Day, asOf: Day, chance: number): number {
  const luck = unit(chance, 7)
  if (from > asOf && luck < 0.45) return PENDING
  if (type === SICK || type === BEREAVEMENT || type === PARENTAL) return luck < 0.98 ? APPROVED : 3
  return luck < 0.89 ? APPROVED : luck < 0.945 ? 2 : 3
}

/** Sorts by the day of the request, then by employee. */
function inOrder(leave: Leave): Leave {
  const order = Int32Array.from(leave.applied.keys())
  order.sort((a, b) => (leave.applied[a] as number) - (leave.applied[b] as number) || a - b)
  const sorted = emptyLeave(leave.count)
  for (let index = 0; index < order.length; index++) {
    const request = order[index] as number
    sorted.employee[index] = leave.employee[request] as number
    sorted.from[index] = leave.from[request] as number
    sorted.to[index] = leave.to[request] as number
    sorted.applied[index] = leave.applied[request] as number
    sorted.type[index] = leave.type[request] as number
    sorted.status[index] = leave.status[request] as number
    sorted.half[index] = leave.half[request] as number
  }
  return sorted
}

export function* leaveRows(plan: Plan, leave: Leave): Generator<Row, void, void> {
  const stream = streams(plan.seed)('reasons')
  for (let request = 0; request < leave.count; request++) {
    const from = leave.from[request] as number
    const to = leave.to[request] as number
    const days = leave.half[request] === 1 ? 0.5 : workedBetween(from, to)
    const type = LEAVE_TYPES[leave.type[request] as number] as string
    const silent = draw(stream, request) % 4 === 0
    yield [
      request + 1,
      (leave.employee[request] as number) + 1,
      type,
      writeDay(from),
      writeDay(to),
      days,
      LEAVE_STATUSES[leave.status[request] as number] as string,
      silent ? null : pick(reasonsFor(type, days, monthOf(from)), unit(stream, request)),
      writeDay(leave.applied[request] as number),
    ]
  }
}

function reasonsFor(type: string, days: number, month: number): readonly string[] {
  const kind =
    type !== 'annual'
      ? type
      : days < 3
        ? 'short'
        : month === 7 || month === 8
          ? 'summer'
          : month === 12
            ? 'winter'
            : 'annual'
  return leaveReasons[kind] as readonly string[]
}

/** Who is away on a day, by employee: the status `on_leave` follows from it. */
export function awayOn(leave: Leave, people: People, day: Day): Uint8Array {
  const away = new Uint8Array(people.count)
  for (let request = 0; request < leave.count; request++) {
    if (leave.status[request] !== APPROVED || leave.half[request] === 1) continue
    if ((leave.from[request] as number) <= day && day <= (leave.to[request] as number))
      away[leave.employee[request] as number] = 1
  }
  return away
}
