import type { Day } from '../calendar.ts'
import { pickWeighted, randomFraction, randomUint32, streams } from '../random.ts'
import type { Pipeline } from './daily-applications.ts'
import { dailyApplications } from './daily-applications.ts'
import { cumulativeOfficeWeights, familyOfDepartment } from './openings.ts'
import type { Recruits } from './people.ts'
import { addPastApplicant, findPastApplicant, noPastApplicants } from './returning-applicants.ts'

/**
 * One event in recruiting: an application, or a candidate who joins the talent pool. To avoid allocations, the
 * generator yields the same object every time, with new values.
 */
export interface PipelineEvent {
  /** Index of the application, or -1 for a candidate who only joined the talent pool. */
  application: number
  candidate: number
  /** Whether this event is the first one of its candidate. */
  isNewCandidate: boolean
  job: number
  day: Day
  second: number
  /** Index of the hire this application led to, or -1. */
  hire: number
  /** Index of an office in the candidate's country. */
  homeOffice: number
  /** Day on which the candidate record was created. */
  candidateCreated: Day
}

/** Share of candidates who only join the talent pool and never apply. */
const TALENT_POOL_SHARE = 0.04
/** Share of candidates who live in the country of the opening they apply for. */
const LOCAL_SHARE = 0.86
const FIRST_SECOND_OF_DAY = 5 * 3600
const SECONDS_WITH_APPLICATIONS = 17 * 3600 - 60

/** Yields all recruiting events in chronological order. Each application comes from a new or a returning candidate. */
export function* pipelineEvents(pipeline: Pipeline): Generator<PipelineEvent, void, void> {
  const { plan } = pipeline
  const talentPoolSize = Math.floor(plan.candidates * TALENT_POOL_SHARE)
  const event = emptyEvent()
  const setApplicant = applicantSetter(pipeline, event, plan.candidates - talentPoolSize)
  const setPoolCandidate = poolCandidateSetter(pipeline, event)
  const stream = streams(plan.seed)('walk')
  let candidates = 0
  let applications = 0
  let poolCount = 0
  for (const { day, jobs, hireOf } of dailyApplications(pipeline)) {
    for (let index = 0; index < jobs.length; index++) {
      const randomKey = randomUint32(stream, applications)
      event.application = applications++
      event.job = jobs[index] as number
      event.hire = hireOf[index] as number
      event.day = day
      event.second =
        FIRST_SECOND_OF_DAY +
        Math.floor(((index + randomFraction(randomKey, 2)) * SECONDS_WITH_APPLICATIONS) / jobs.length)
      candidates += setApplicant(randomKey, candidates)
      yield event
      for (; poolCount < Math.floor((applications * talentPoolSize) / plan.applications); poolCount++) {
        setPoolCandidate(randomKey, candidates++)
        yield event
      }
    }
  }
}

function emptyEvent(): PipelineEvent {
  return {
    application: -1,
    candidate: 0,
    isNewCandidate: true,
    job: 0,
    day: 0,
    second: 0,
    hire: -1,
    homeOffice: 0,
    candidateCreated: 0,
  }
}

/** Returns a function that chooses who applies. It returns 1 if the applicant is a new candidate, and 0 if not. */
function applicantSetter(
  { plan, openings }: Pipeline,
  event: PipelineEvent,
  newCandidates: number,
): (randomKey: number, nextCandidate: number) => number {
  const pastApplicants = noPastApplicants()
  const officeWeights = cumulativeOfficeWeights(plan)
  let newCandidatesLeft = newCandidates
  return (randomKey, nextCandidate) => {
    const familyIndex = familyOfDepartment(openings.department[event.job] as number)
    const wantsNew = randomFraction(randomKey, 1) * (plan.applications - event.application) < newCandidatesLeft
    const returning = wantsNew ? undefined : findPastApplicant(pastApplicants, familyIndex, event.job, randomKey)
    event.isNewCandidate = returning === undefined
    if (returning === undefined) {
      newCandidatesLeft--
      event.candidate = nextCandidate
      event.homeOffice = pickHomeOffice(officeWeights, openings.office[event.job] as number, randomKey)
      event.candidateCreated = event.day
      const { candidate, homeOffice, candidateCreated, job, hire } = event
      addPastApplicant(
        pastApplicants,
        familyIndex,
        { candidate, homeOffice, candidateCreated, jobs: [job], hired: hire >= 0 },
        randomKey,
      )
      return 1
    }
    event.candidate = returning.candidate
    event.homeOffice = returning.homeOffice
    event.candidateCreated = returning.candidateCreated
    returning.jobs.push(event.job)
    returning.hired = event.hire >= 0
    return 0
  }
}

function poolCandidateSetter(
  { plan, openings }: Pipeline,
  event: PipelineEvent,
): (randomKey: number, nextCandidate: number) => void {
  const officeWeights = cumulativeOfficeWeights(plan)
  return (randomKey, nextCandidate) => {
    event.application = -1
    event.hire = -1
    event.isNewCandidate = true
    event.candidate = nextCandidate
    event.homeOffice = pickHomeOffice(officeWeights, openings.office[event.job] as number, randomUint32(randomKey, 7))
    event.candidateCreated = event.day
  }
}

function pickHomeOffice(officeWeights: readonly number[], office: number, randomKey: number): number {
  return randomFraction(randomKey, 3) < LOCAL_SHARE ? office : pickWeighted(officeWeights, randomFraction(randomKey, 4))
}

/** Generates all recruiting events once to find the candidate of each hire. */
export function findRecruits(pipeline: Pipeline): Recruits {
  const candidate = new Int32Array(pipeline.hires.count)
  const homeOffice = new Uint8Array(pipeline.hires.count)
  for (const event of pipelineEvents(pipeline)) {
    if (event.hire < 0) continue
    candidate[event.hire] = event.candidate
    homeOffice[event.hire] = event.homeOffice
  }
  return { candidate, homeOffice }
}
