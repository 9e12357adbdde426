/** In charge of attendance: one row for every employee and working day of the window on record, in agreement with leave. */
import type { Day } from './calendar.ts'
import { isShut, isWorked, weekday, writeDay } from './calendar.ts'
import type { Chunk } from './copy-text.ts'
import { CHUNK_CHARACTERS } from './copy-text.ts'
import type { Leave } from './leave.ts'
import { APPROVED } from './leave.ts'
import type { People } from './people.ts'
import type { Plan } from './plan.ts'
import { draw, streams } from './random.ts'

export interface AttendanceSources {
  readonly plan: Plan
  readonly people: People
  readonly leave: Leave
}

interface Window {
  readonly first: Day
  /** Employees left out on the first day: the count is met to the row. */
  readonly skipped: number
  readonly rows: number
}

const PART_TIME = 1

function lastRecorded(people: People, employee: number): Day {
  return Math.min(people.leaving[employee] as number, (people.suspended[employee] as number) - 1)
}

/** Goes back from the last day until the planned number of rows is reached, or the company's first day. */
export function attendanceWindow({ plan, people }: AttendanceSources): Window {
  const oldest = people.joining[0] as number
  const changes = new Int32Array(plan.asOf - oldest + 2)
  for (let employee = 0; employee < people.count; employee++) {
    const from = people.joining[employee] as number
    if (from > plan.asOf) continue
    bump(changes, from - oldest, 1)
    const end = lastRecorded(people, employee)
    if (end < plan.asOf) bump(changes, end - oldest + 1, -1)
  }
  for (let index = 1; index < changes.length; index++) bump(changes, index, changes[index - 1] as number)
  let rows = 0
  for (let day = plan.asOf; day >= oldest; day--) {
    if (!isWorked(day) || isShut(day)) continue
    rows += changes[day - oldest] as number
    if (rows >= plan.attendance) return { first: day, skipped: rows - plan.attendance, rows: plan.attendance }
  }
  return { first: oldest, skipped: 0, rows }
}

function bump(counts: Int32Array, index: number, by: number): void {
  counts[index] = (counts[index] as number) + by
}

/** Written as text at once, because most rows of the company are these. */
export function* attendanceChunks(sources: AttendanceSources): Generator<Chunk, void, void> {
  const { plan, people } = sources
  const { first, skipped } = attendanceWindow(sources)
  const stream = streams(plan.seed)('attendance')
  const away = awayState(sources)
  let toSkip = skipped
  let id = 0
  let text = ''
  let rows = 0
  for (let day = first; day <= plan.asOf; day++) {
    const leaveOf = away(day)
    if (!isWorked(day) || isShut(day)) continue
    const endings = endingsOf(day)
    const key = draw(stream, day)
    const homely = weekday(day) === 0 || weekday(day) === 4 ? HOMELY_EDGE : HOMELY
    for (let employee = 0; employee < people.count; employee++) {
      if ((people.joining[employee] as number) > day) break
      if (lastRecorded(people, employee) < day) continue
      if (toSkip > 0) {
        toSkip--
        continue
      }
      const ending = endings[
        kindOf(leaveOf[employee] as number, people, employee, draw(key, employee), homely)
      ] as string
      text += `${++id}\t${employee + 1}${ending}`
      rows++
      if (text.length < CHUNK_CHARACTERS) continue
      yield { bytes: Buffer.from(text, 'latin1'), rows }
      text = ''
      rows = 0
    }
  }
  if (rows > 0) yield { bytes: Buffer.from(text, 'latin1'), rows }
}

const NOT_AWAY = 0
const AWAY = 1
const HALF_AWAY = 2

/** Follows approved leave from day to day: 0 not away, 1 away, 2 away for half a day. */
function awayState({ plan, people, leave }: AttendanceSources): (day: Day) => Uint8Array {
  const order = Int32Array.from(leave.from.keys()).filter((request) => leave.status[request] === APPROVED)
  order.sort((a, b) => (leave.from[a] as number) - (leave.from[b] as number) || a - b)
  const state = new Uint8Array(people.count)
  const until = new Int32Array(people.count)
  let next = 0
  return (day) => {
    for (let employee = 0; employee < people.count; employee++)
      if (state[employee] !== NOT_AWAY && (until[employee] as number) < day) state[employee] = NOT_AWAY
    for (; next < order.length && day <= plan.asOf; next++) {
      const request = order[next] as number
      if ((leave.from[request] as number) > day) break
      if ((leave.to[request] as number) < day) continue
      const employee = leave.employee[request] as number
      state[employee] = leave.half[request] === 1 ? HALF_AWAY : AWAY
      until[employee] = leave.to[request] as number
    }
    return state
  }
}

const ON_LEAVE = 0
const ABSENT = 1
const HALF = 2
const HALF_PART_TIME = 3
const PRESENT = 4
const HOURS = [
  '7',
  '7.25',
  '7.5',
  '7.5',
  '7.75',
  '8',
  '8',
  '8',
  '8',
  '8.25',
  '8.25',
  '8.5',
  '8.5',
  '8.75',
  '9',
  '9.5',
] as const
const PART_TIME_HOURS = ['4', '4', '4.25', '4.5', '5', '5', '5.5', '6'] as const
const AT_HOME = PRESENT + HOURS.length
const PRESENT_PART_TIME = AT_HOME + HOURS.length
const AT_HOME_PART_TIME = PRESENT_PART_TIME + PART_TIME_HOURS.length
/** Of 256: how likely somebody who may work at home does so. */
const HOMELY = 90
const HOMELY_EDGE = 150

/** Everything after the employee's number, for each kind of day. */
function endingsOf(day: Day): readonly string[] {
  const date = writeDay(day)
  const ending = (status: string) => (hours: string) => `\t${date}\t${status}\t${hours}\n`
  return [
    ending('on_leave')('0'),
    ending('absent')('0'),
    ending('half_day')('4'),
    ending('half_day')('2.5'),
    ...HOURS.map(ending('present')),
    ...HOURS.map(ending('work_from_home')),
    ...PART_TIME_HOURS.map(ending('present')),
    ...PART_TIME_HOURS.map(ending('work_from_home')),
  ]
}

function kindOf(away: number, people: People, employee: number, chance: number, homely: number): number {
  if (away === AWAY) return ON_LEAVE
  const partTime = people.employmentType[employee] === PART_TIME
  if (away === HALF_AWAY) return partTime ? HALF_PART_TIME : HALF
  const mishap = chance & 0x1ff
  if (mishap < 2) return ABSENT
  if (mishap < 6) return partTime ? HALF_PART_TIME : HALF
  // Four in ten never work at home, whatever the day.
  const mayStay = (people.key[employee] as number) % 10 < 6
  const home = mayStay && ((chance >>> 9) & 0xff) < homely
  if (partTime) return (home ? AT_HOME_PART_TIME : PRESENT_PART_TIME) + ((chance >>> 17) & 7)
  return (home ? AT_HOME : PRESENT) + ((chance >>> 17) & 15)
}
