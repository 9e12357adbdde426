/** In charge of the candidates: who they are, where they came from and what they wrote about themselves. */

import type { Day } from './calendar.ts'
import { writeMoment } from './calendar.ts'
import type { Row } from './copy-text.ts'
import { familyAt, titleAt } from './families.ts'
import type { Pipeline } from './inbox.ts'
import { personName } from './names.ts'
import { familyOfDepartment } from './openings.ts'
import type { People } from './people.ts'
import { candidateStream, cultureOf, isEmployed, joinedBy } from './people.ts'
import { phoneIn } from './phones.ts'
import type { Step } from './pipeline.ts'
import { walk } from './pipeline.ts'
import { officeAt, townIn } from './places.ts'
import { below, climb, draw, ladder, pick, unit } from './random.ts'
import { candidateNotes, employers } from './texts.ts'

export const SOURCES = ['career_site', 'job_board', 'referral', 'sourced', 'agency', 'event'] as const
const sourceSteps = ladder([36, 31, 11, 10, 8, 4])
/** Those who know somebody inside are hired more often. */
const hiredSourceSteps = ladder([28, 17, 32, 13, 7, 3])
const pooledSourceSteps = ladder([10, 0, 15, 45, 0, 30])
const MAIL_HOSTS = ['mail.example.com', 'post.example.org', 'inbox.example.net', 'letters.example', 'kaixo.example']
const LEVEL_YEARS = [0, 3, 7, 11, 15] as const
const KEPT_DAYS = 420

export interface CandidateSources extends Pipeline {
  readonly people: People
  readonly hiredCandidates: Uint8Array
}

export function isHired(hiredCandidates: Uint8Array, candidate: number): boolean {
  return ((hiredCandidates[candidate >> 3] as number) & (1 << (candidate & 7))) !== 0
}

/** Old profiles are put away, except those who asked to stay. */
export function isArchived(key: number, known: Day, asOf: Day): boolean {
  return asOf - known > KEPT_DAYS && draw(key, 15) % 20 !== 0
}

/** Where a newcomer came from; somebody who applies again has come from where they came the first time. */
export function sourceOf(key: number, newcomer: Step): (typeof SOURCES)[number] {
  const steps = newcomer.application < 0 ? pooledSourceSteps : newcomer.hire >= 0 ? hiredSourceSteps : sourceSteps
  return SOURCES[climb(steps, unit(key, 6))] as (typeof SOURCES)[number]
}

export function* candidateRows(sources: CandidateSources): Generator<Row, void, void> {
  const stream = candidateStream(sources.plan.seed)
  for (const step of walk(sources)) if (step.newcomer) yield candidateRow(sources, step, draw(stream, step.candidate))
}

function candidateRow(sources: CandidateSources, step: Step, key: number): Row {
  const { plan, openings } = sources
  const { country } = officeAt(step.home)
  const { first, last } = personName(key, cultureOf(key, step.home))
  const id = step.candidate + 1
  const handle = `${first.plain}.${last.plain}${id}`
  const source = sourceOf(key, step)
  const family = familyAt(familyOfDepartment(openings.department[step.job] as number))
  const level = Math.max(0, (openings.level[step.job] as number) - (draw(key, 7) % 5 === 0 ? 1 : 0))
  const years = (LEVEL_YEARS[level] as number) + below(key, 8, 9) / 2
  const role = pick(family.roles, unit(key, 9))
  const title = titleAt(role, level)
  const topic = pick(family.topics, unit(key, 10))
  return [
    id,
    first.written,
    last.written,
    `${handle}@${pick(MAIL_HOSTS, unit(key, 13))}`,
    draw(key, 14) % 6 === 0 ? null : phoneIn(country.code, key),
    townIn(country, unit(key, 16), draw(key, 17) % 3 === 0),
    headline(role, years, topic, draw(key, 18)),
    years === 0 ? null : title,
    years === 0 ? null : pick(employers, unit(key, 19)),
    years,
    draw(key, 20) % 3 === 0 ? null : `https://profiles.example.com/in/${first.plain}-${last.plain}-${id}`,
    source,
    source === 'referral' ? referrer(sources.people, step.day, key) + 1 : null,
    consent(step, source, key, plan.asOf),
    isHired(sources.hiredCandidates, step.candidate)
      ? 'hired'
      : isArchived(key, step.day, plan.asOf)
        ? 'archived'
        : 'active',
    draw(key, 21) % 5 === 0 ? pick(candidateNotes, unit(key, 22)) : null,
    writeMoment(step.day, step.second),
  ]
}

function headline(role: string, years: number, topic: string, chance: number): string {
  const work = role.charAt(0) + role.slice(1).toLowerCase()
  if (years === 0) return `Graduate who wants to learn ${topic}`
  switch (chance % 4) {
    case 0:
      return `${work}, ${topic}, ${years} years`
    case 1:
      return `${years} years in ${topic}`
    case 2:
      return `${work} with a liking for ${topic}`
    default:
      return `${topic.charAt(0).toUpperCase()}${topic.slice(1)} · ${work.toLowerCase()}`
  }
}

/** Somebody who worked here on that day. */
function referrer(people: People, day: Day, key: number): number {
  const joined = joinedBy(people, day)
  for (let attempt = 0; attempt < 12; attempt++) {
    const employee = below(key, 30 + attempt, joined)
    if (isEmployed(people, employee, day)) return employee
  }
  return 0
}

/** Whoever applies agrees on the spot; whoever we approached agrees days later, or has not yet. */
function consent(step: Step, source: string, key: number, asOf: Day): string | null {
  if (source !== 'sourced') return writeMoment(step.day, step.second)
  const answered = step.day + 1 + below(key, 23, 6)
  return answered > asOf || draw(key, 24) % 3 === 0 ? null : writeMoment(answered, step.second)
}
