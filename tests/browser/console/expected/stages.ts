/** The stages of job openings. PostgreSQL 15 cannot tell whether a text is JSON, so the texts are read here. */
import type { Muster } from '../../support/muster.ts'

const suggestedStages = ['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']

/** The names in `stages_json`: undefined if the text is something else. */
export const stageNames = (json: string): string[] | undefined => {
  try {
    const stages: unknown = JSON.parse(json)
    const names = Array.isArray(stages) ? stages.map((stage) => (typeof stage === 'string' ? stage : stage?.name)) : []
    return Array.isArray(stages) && names.every((name) => typeof name === 'string') ? names : undefined
  } catch {
    return undefined
  }
}

export interface JobStages {
  readonly id: number
  readonly json: string | null
  /** In order and in lower case. Nobody has to go through `sourced`, so it is none of them. */
  readonly stages: readonly string[]
}

/** The stages of all job openings; the suggested ones if a job opening has none. */
export const readJobStages = async (sql: Muster['sql']): Promise<JobStages[]> => {
  const jobs = await sql<{ id: number; json: string | null }>('select id, stages_json as json from job_openings')
  return jobs.map(({ id, json }) => {
    const own = stageNames(json ?? '') ?? []
    const names = own.length === 0 ? suggestedStages : own.map((name) => name.toLowerCase())
    return { id, json, stages: [...new Set(names)].filter((name) => name !== 'sourced') }
  })
}
