import type { Day } from '../calendar.ts'
import { formatTimestamp } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import { cumulativeWeights, pick, pickWeighted, randomBelow, randomFraction, randomUint32 } from '../random.ts'
import { familyAt, titleAt } from '../vocabulary/job-families.ts'
import { officeAt, townIn } from '../vocabulary/locations.ts'
import { personName } from '../vocabulary/names.ts'
import { phoneIn } from '../vocabulary/phones.ts'
import { candidateNotes, employers } from '../vocabulary/texts.ts'
import type { Pipeline } from './daily-applications.ts'
import { familyOfDepartment } from './openings.ts'
import type { People } from './people.ts'
import { candidateStream, countJoinedBy, cultureOf, isEmployed } from './people.ts'
import type { PipelineEvent } from './pipeline.ts'
import { pipelineEvents } from './pipeline.ts'

export const SOURCES = ['career_site', 'job_board', 'referral', 'sourced', 'agency', 'event'] as const
const sourceWeights = cumulativeWeights([36, 31, 11, 10, 8, 4])
/** Weights of the sources of hired candidates. Referred candidates are hired more often than others. */
const hiredSourceWeights = cumulativeWeights([28, 17, 32, 13, 7, 3])
const talentPoolSourceWeights = cumulativeWeights([10, 0, 15, 45, 0, 30])
const MAIL_HOSTS = ['mail.example.com', 'post.example.org', 'inbox.example.net', 'letters.example', 'kaixo.example']
const EXPERIENCE_YEARS_BY_LEVEL = [0, 3, 7, 11, 15] as const
const RETENTION_DAYS = 420

export interface CandidateSources extends Pipeline {
  readonly people: People
  readonly hiredCandidates: Uint8Array
}

export function isHired(hiredCandidates: Uint8Array, candidate: number): boolean {
  return ((hiredCandidates[candidate >> 3] as number) & (1 << (candidate & 7))) !== 0
}

/**
 * Candidate profiles are archived after 420 days, except for one candidate in twenty, who asked the company to keep the
 * profile.
 */
export function isArchived(randomKey: number, candidateCreated: Day, asOf: Day): boolean {
  return asOf - candidateCreated > RETENTION_DAYS && randomUint32(randomKey, 15) % 20 !== 0
}

export function archivedOn(candidateCreated: Day): Day {
  return candidateCreated + RETENTION_DAYS + 1
}

/**
 * Returns where the candidate was found. It depends on the candidate's first event only, so later applications have the
 * same source.
 */
export function sourceOf(randomKey: number, firstEvent: PipelineEvent): (typeof SOURCES)[number] {
  const weights =
    firstEvent.application < 0 ? talentPoolSourceWeights : firstEvent.hire >= 0 ? hiredSourceWeights : sourceWeights
  return SOURCES[pickWeighted(weights, randomFraction(randomKey, 6))] as (typeof SOURCES)[number]
}

export function* candidateRows(sources: CandidateSources): Generator<Row, void, void> {
  const stream = candidateStream(sources.plan.seed)
  for (const event of pipelineEvents(sources))
    if (event.isNewCandidate) yield candidateRow(sources, event, randomUint32(stream, event.candidate))
}

function candidateRow(sources: CandidateSources, event: PipelineEvent, randomKey: number): Row {
  const { plan, openings } = sources
  const { country } = officeAt(event.homeOffice)
  const { first, last } = personName(randomKey, cultureOf(randomKey, event.homeOffice))
  const id = event.candidate + 1
  const emailName = `${first.ascii}.${last.ascii}${id}`
  const source = sourceOf(randomKey, event)
  const jobFamily = familyAt(familyOfDepartment(openings.department[event.job] as number))
  const level = Math.max(0, (openings.level[event.job] as number) - (randomUint32(randomKey, 7) % 5 === 0 ? 1 : 0))
  const years = (EXPERIENCE_YEARS_BY_LEVEL[level] as number) + randomBelow(randomKey, 8, 9) / 2
  const role = pick(jobFamily.roles, randomFraction(randomKey, 9))
  const title = titleAt(role, level)
  const topic = pick(jobFamily.topics, randomFraction(randomKey, 10))
  return [
    id,
    first.written,
    last.written,
    `${emailName}@${pick(MAIL_HOSTS, randomFraction(randomKey, 13))}`,
    randomUint32(randomKey, 14) % 6 === 0 ? null : phoneIn(country.code, randomKey),
    townIn(country, randomFraction(randomKey, 16), randomUint32(randomKey, 17) % 3 === 0),
    headline(role, years, topic, randomUint32(randomKey, 18)),
    years === 0 ? null : title,
    years === 0 ? null : pick(employers, randomFraction(randomKey, 19)),
    years,
    randomUint32(randomKey, 20) % 3 === 0 ? null : `https://profiles.example.com/in/${first.ascii}-${last.ascii}-${id}`,
    source,
    source === 'referral' ? pickReferrer(sources.people, event.day, randomKey) + 1 : null,
    consentTimeOf(event, source, randomKey, plan.asOf),
    isHired(sources.hiredCandidates, event.candidate)
      ? 'hired'
      : isArchived(randomKey, event.day, plan.asOf)
        ? 'archived'
        : 'active',
    randomUint32(randomKey, 21) % 5 === 0 ? pick(candidateNotes, randomFraction(randomKey, 22)) : null,
    formatTimestamp(event.day, event.second),
  ]
}

function headline(role: string, years: number, topic: string, chance: number): string {
  const roleText = role.charAt(0) + role.slice(1).toLowerCase()
  if (years === 0) return `Graduate who wants to learn ${topic}`
  switch (chance % 4) {
    case 0:
      return `${roleText}, ${topic}, ${years} years`
    case 1:
      return `${years} years in ${topic}`
    case 2:
      return `${roleText} with a liking for ${topic}`
    default:
      return `${topic.charAt(0).toUpperCase()}${topic.slice(1)} · ${roleText.toLowerCase()}`
  }
}

/** Picks the referrer of a candidate: a person who was employed on that day. */
function pickReferrer(people: People, day: Day, randomKey: number): number {
  const joined = countJoinedBy(people, day)
  for (let attempt = 0; attempt < 12; attempt++) {
    const employee = randomBelow(randomKey, 30 + attempt, joined)
    if (isEmployed(people, employee, day)) return employee
  }
  return 0
}

/**
 * Returns when a candidate consented to data processing. Applicants consent when they apply; sourced candidates consent
 * some days later, or have not consented yet.
 */
function consentTimeOf(event: PipelineEvent, source: string, randomKey: number, asOf: Day): string | null {
  if (source !== 'sourced') return formatTimestamp(event.day, event.second)
  const consentedOn = event.day + 1 + randomBelow(randomKey, 23, 6)
  return consentedOn > asOf || randomUint32(randomKey, 24) % 3 === 0 ? null : formatTimestamp(consentedOn, event.second)
}
