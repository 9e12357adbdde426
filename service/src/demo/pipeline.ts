/** In charge of the order in which people apply: day by day, each application by a newcomer or by somebody who applied before. */
import { noAcquaintances, recall, remember } from './acquaintances.ts'
import type { Day } from './calendar.ts'
import type { Pipeline } from './inbox.ts'
import { inbox } from './inbox.ts'
import { familyOfDepartment, officeSteps } from './openings.ts'
import type { Recruits } from './people.ts'
import { climb, draw, streams, unit } from './random.ts'

/** One step of the walk, which changes and yields the same object each time: millions of steps need no memory. */
export interface Step {
  /** Index of the application, or -1 for somebody who only joined the talent pool. */
  application: number
  candidate: number
  newcomer: boolean
  job: number
  day: Day
  second: number
  /** Index of the hire this application led to, or -1. */
  hire: number
  /** The office whose country the candidate comes from. */
  home: number
  /** The day on which the candidate became known. */
  known: Day
}

/** Share of the candidates who never applied. */
const POOL_SHARE = 0.04
/** Most come from a country where the opening is. */
const LOCAL_SHARE = 0.86
const FIRST_SECOND = 5 * 3600
const SECONDS = 17 * 3600 - 60

export function* walk(pipeline: Pipeline): Generator<Step, void, void> {
  const { plan } = pipeline
  const pooled = Math.floor(plan.candidates * POOL_SHARE)
  const step = firstStep()
  const apply = applicant(pipeline, step, plan.candidates - pooled)
  const pool = poolJoiner(pipeline, step)
  const stream = streams(plan.seed)('walk')
  let candidates = 0
  let applications = 0
  let joined = 0
  for (const { day, jobs, hireOf } of inbox(pipeline)) {
    for (let index = 0; index < jobs.length; index++) {
      const key = draw(stream, applications)
      step.application = applications++
      step.job = jobs[index] as number
      step.hire = hireOf[index] as number
      step.day = day
      step.second = FIRST_SECOND + Math.floor(((index + unit(key, 2)) * SECONDS) / jobs.length)
      candidates += apply(key, candidates)
      yield step
      for (; joined < Math.floor((applications * pooled) / plan.applications); joined++) {
        pool(key, candidates++)
        yield step
      }
    }
  }
}

function firstStep(): Step {
  return { application: -1, candidate: 0, newcomer: true, job: 0, day: 0, second: 0, hire: -1, home: 0, known: 0 }
}

/** Decides who applies, and returns how many newcomers that makes: one or none. */
function applicant({ plan, openings }: Pipeline, step: Step, newcomers: number): (key: number, next: number) => number {
  const acquaintances = noAcquaintances()
  const offices = officeSteps(plan)
  let left = newcomers
  return (key, next) => {
    const family = familyOfDepartment(openings.department[step.job] as number)
    const wantsNew = unit(key, 1) * (plan.applications - step.application) < left
    const one = wantsNew ? undefined : recall(acquaintances, family, step.job, key)
    step.newcomer = one === undefined
    if (one === undefined) {
      left--
      step.candidate = next
      step.home = homeOf(offices, openings.office[step.job] as number, key)
      step.known = step.day
      const { candidate, home, known, job, hire } = step
      remember(acquaintances, family, { candidate, home, known, jobs: [job], hired: hire >= 0 }, key)
      return 1
    }
    step.candidate = one.candidate
    step.home = one.home
    step.known = one.known
    one.jobs.push(step.job)
    one.hired = step.hire >= 0
    return 0
  }
}

function poolJoiner({ plan, openings }: Pipeline, step: Step): (key: number, next: number) => void {
  const offices = officeSteps(plan)
  return (key, next) => {
    step.application = -1
    step.hire = -1
    step.newcomer = true
    step.candidate = next
    step.home = homeOf(offices, openings.office[step.job] as number, draw(key, 7))
    step.known = step.day
  }
}

function homeOf(offices: readonly number[], office: number, key: number): number {
  return unit(key, 3) < LOCAL_SHARE ? office : climb(offices, unit(key, 4))
}

/** Walks once ahead to learn which candidate each hire was. */
export function findRecruits(pipeline: Pipeline): Recruits {
  const candidate = new Int32Array(pipeline.hires.count)
  const home = new Uint8Array(pipeline.hires.count)
  for (const step of walk(pipeline)) {
    if (step.hire < 0) continue
    candidate[step.hire] = step.candidate
    home[step.hire] = step.home
  }
  return { candidate, home }
}
