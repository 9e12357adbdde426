/** Chooses past applicants who apply again. To bound memory, only a sample of all past applicants is stored. */
import type { Day } from '../calendar.ts'
import { randomBelow, randomUint32 } from '../random.ts'
import { families } from '../vocabulary/job-families.ts'

export interface PastApplicant {
  readonly candidate: number
  /** Index of an office in the candidate's country. */
  readonly homeOffice: number
  /** Day on which the candidate record was created. */
  readonly candidateCreated: Day
  readonly jobs: number[]
  hired: boolean
}

/** Past applicants, indexed by job family, so that candidates apply again for similar jobs. */
export type PastApplicants = readonly PastApplicant[][]

const MAX_PER_FAMILY = 192
const MAX_APPLICATIONS = 5
const MAX_ATTEMPTS = 6

export function noPastApplicants(): PastApplicants {
  return families.map(() => [])
}

export function addPastApplicant(
  pastApplicants: PastApplicants,
  family: number,
  newApplicant: PastApplicant,
  randomKey: number,
): void {
  const familyApplicants = pastApplicants[family] as PastApplicant[]
  if (familyApplicants.length < MAX_PER_FAMILY) familyApplicants.push(newApplicant)
  else familyApplicants[randomBelow(randomKey, 5, MAX_PER_FAMILY)] = newApplicant
}

/** Finds a past applicant who may apply for the job, preferably from the same job family. */
export function findPastApplicant(
  pastApplicants: PastApplicants,
  family: number,
  job: number,
  randomKey: number,
): PastApplicant | undefined {
  const familyApplicants = pastApplicants[family] as PastApplicant[]
  for (let attempt = 0; attempt < MAX_ATTEMPTS && familyApplicants.length > 0; attempt++) {
    const applicant = familyApplicants[randomBelow(randomKey, 10 + attempt, familyApplicants.length)] as PastApplicant
    if (mayApply(applicant, job)) return applicant
  }
  const start = randomUint32(randomKey, 6)
  for (let offset = 0; offset < pastApplicants.length; offset++) {
    const match = pastApplicants[(start + offset) % pastApplicants.length]?.find((applicant) =>
      mayApply(applicant, job),
    )
    if (match !== undefined) return match
  }
  return undefined
}

function mayApply({ hired, jobs }: PastApplicant, job: number): boolean {
  return !hired && jobs.length < MAX_APPLICATIONS && !jobs.includes(job)
}
