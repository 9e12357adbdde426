import type { Day } from '../calendar.ts'
import { formatDay, isCompanyHoliday, isWorkday, weekday } from '../calendar.ts'
import type { Chunk } from '../copy-text.ts'
import { CHUNK_CHARACTERS } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomUint32, streams } from '../random.ts'
import type { Leave } from './leave.ts'
import { APPROVED } from './leave.ts'
import type { People } from './people.ts'

export interface AttendanceSources {
  readonly plan: Plan
  readonly people: People
  readonly leave: Leave
}

interface AttendanceWindow {
  readonly firstDay: Day
  /**
   * Number of employees without an attendance record on the first day, so that the planned number of rows is met
   * exactly.
   */
  readonly skipped: number
  readonly rows: number
}

const PART_TIME = 1

function lastAttendanceDay(people: People, employee: number): Day {
  return Math.min(people.leftOn[employee] as number, (people.suspendedFrom[employee] as number) - 1)
}

/**
 * Returns the period that has attendance records. It ends on the current day and begins on the latest day that gives
 * the planned number of rows, but not before the first day of the company.
 */
export function attendanceWindow({ plan, people }: AttendanceSources): AttendanceWindow {
  const companyStart = people.joinedOn[0] as number
  const headcountByDay = new Int32Array(plan.asOf - companyStart + 2)
  for (let employee = 0; employee < people.count; employee++) {
    const from = people.joinedOn[employee] as number
    if (from > plan.asOf) continue
    addTo(headcountByDay, from - companyStart, 1)
    const end = lastAttendanceDay(people, employee)
    if (end < plan.asOf) addTo(headcountByDay, end - companyStart + 1, -1)
  }
  for (let index = 1; index < headcountByDay.length; index++)
    addTo(headcountByDay, index, headcountByDay[index - 1] as number)
  let rows = 0
  for (let day = plan.asOf; day >= companyStart; day--) {
    if (!isWorkday(day) || isCompanyHoliday(day)) continue
    rows += headcountByDay[day - companyStart] as number
    if (rows >= plan.attendance) return { firstDay: day, skipped: rows - plan.attendance, rows: plan.attendance }
  }
  return { firstDay: companyStart, skipped: 0, rows }
}

function addTo(counts: Int32Array, index: number, by: number): void {
  counts[index] = (counts[index] as number) + by
}

/**
 * Yields the attendance records as text for COPY. It formats them directly for speed, because most rows of a company
 * are attendance records.
 */
export function* attendanceChunks(sources: AttendanceSources): Generator<Chunk, void, void> {
  const { plan, people } = sources
  const { firstDay, skipped } = attendanceWindow(sources)
  const stream = streams(plan.seed)('attendance')
  const leaveOnDay = leaveStateTracker(sources)
  let rowsToSkip = skipped
  let id = 0
  let text = ''
  let rows = 0
  for (let day = firstDay; day <= plan.asOf; day++) {
    const leaveStates = leaveOnDay(day)
    if (!isWorkday(day) || isCompanyHoliday(day)) continue
    const rowEndings = rowEndingsOn(day)
    const dayKey = randomUint32(stream, day)
    const homeChance = weekday(day) === 0 || weekday(day) === 4 ? MONDAY_OR_FRIDAY_HOME_CHANCE : HOME_CHANCE
    for (let employee = 0; employee < people.count; employee++) {
      if ((people.joinedOn[employee] as number) > day) break
      if (lastAttendanceDay(people, employee) < day) continue
      if (rowsToSkip > 0) {
        rowsToSkip--
        continue
      }
      const rowEnding = rowEndings[
        kindOfDay(leaveStates[employee] as number, people, employee, randomUint32(dayKey, employee), homeChance)
      ] as string
      text += `${++id}\t${employee + 1}${rowEnding}`
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

/**
 * Returns a function that must be called for each day in ascending order. It returns NOT_AWAY, AWAY or HALF_AWAY for
 * each employee.
 */
function leaveStateTracker({ plan, people, leave }: AttendanceSources): (day: Day) => Uint8Array {
  const approvedRequests = Int32Array.from(leave.from.keys()).filter((request) => leave.status[request] === APPROVED)
  approvedRequests.sort((a, b) => (leave.from[a] as number) - (leave.from[b] as number) || a - b)
  const leaveStates = new Uint8Array(people.count)
  const lastLeaveDay = new Int32Array(people.count)
  let nextRequest = 0
  return (day) => {
    for (let employee = 0; employee < people.count; employee++)
      if (leaveStates[employee] !== NOT_AWAY && (lastLeaveDay[employee] as number) < day)
        leaveStates[employee] = NOT_AWAY
    for (; nextRequest < approvedRequests.length && day <= plan.asOf; nextRequest++) {
      const request = approvedRequests[nextRequest] as number
      if ((leave.from[request] as number) > day) break
      if ((leave.to[request] as number) < day) continue
      const employee = leave.employee[request] as number
      leaveStates[employee] = leave.isHalfDay[request] === 1 ? HALF_AWAY : AWAY
      lastLeaveDay[employee] = leave.to[request] as number
    }
    return leaveStates
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
/**
 * Chance, in 256ths, that an employee who may work from home does so on a given day. The chance is higher on Mondays
 * and Fridays.
 */
const HOME_CHANCE = 90
const MONDAY_OR_FRIDAY_HOME_CHANCE = 150

/** Returns the end of an attendance row, after the employee id, for each combination of status and working hours. */
function rowEndingsOn(day: Day): readonly string[] {
  const date = formatDay(day)
  const rowEnding = (status: string) => (hours: string) => `\t${date}\t${status}\t${hours}\n`
  return [
    rowEnding('on_leave')('0'),
    rowEnding('absent')('0'),
    rowEnding('half_day')('4'),
    rowEnding('half_day')('2.5'),
    ...HOURS.map(rowEnding('present')),
    ...HOURS.map(rowEnding('work_from_home')),
    ...PART_TIME_HOURS.map(rowEnding('present')),
    ...PART_TIME_HOURS.map(rowEnding('work_from_home')),
  ]
}

function kindOfDay(
  leaveState: number,
  people: People,
  employee: number,
  randomBits: number,
  homeChance: number,
): number {
  if (leaveState === AWAY) return ON_LEAVE
  const isPartTime = people.employmentType[employee] === PART_TIME
  if (leaveState === HALF_AWAY) return isPartTime ? HALF_PART_TIME : HALF
  const absenceBits = randomBits & 0x1ff
  if (absenceBits < 2) return ABSENT
  if (absenceBits < 6) return isPartTime ? HALF_PART_TIME : HALF
  // Four in ten employees never work from home.
  const mayWorkFromHome = (people.randomKey[employee] as number) % 10 < 6
  const worksFromHome = mayWorkFromHome && ((randomBits >>> 9) & 0xff) < homeChance
  if (isPartTime) return (worksFromHome ? AT_HOME_PART_TIME : PRESENT_PART_TIME) + ((randomBits >>> 17) & 7)
  return (worksFromHome ? AT_HOME : PRESENT) + ((randomBits >>> 17) & 15)
}
