import type { ApplicationTypes, Group } from '@muster/client'
import { jobStages } from '@muster/model'
import type { StageCount } from './openings.ts'
import { compareStages } from './stages.ts'

export const cardsPerStage = 20
/** How many of them are shown before the reader unfolds the others. */
export const foldedCards = 5

/** The applications of an opening, as they are counted. */
export type StageGroup = Group<ApplicationTypes, 'stage' | 'status'>

/**
 * The columns of an opening: the stages of the job except the last, `hired`, and other stages in which somebody is.
 * Nobody has to go through `sourced`, so that column is shown only if somebody is in it.
 */
export const boardColumns = (stagesJson: string | null, groups: readonly StageGroup[]): StageCount[] => {
  const active = new Map(
    groups.filter(({ status }) => status === 'active').map(({ stage, count }) => [String(stage), count]),
  )
  const ofJob = jobStages(stagesJson).filter((stage) => stage !== 'hired')
  const others = [...active.keys()].filter((stage) => !ofJob.includes(stage))
  const before = others.filter((stage) => stage === 'sourced')
  const after = others.filter((stage) => stage !== 'sourced').toSorted(compareStages)
  return [...before, ...ofJob, ...after].map((stage) => ({ stage, count: active.get(stage) ?? 0 }))
}

/** The number of applications with this status, in any stage. */
export const countOfStatus = (groups: readonly StageGroup[], status: string): number =>
  groups.filter((group) => group.status === status).reduce((sum, { count }) => sum + count, 0)

/** The first cards of each stage. The applications of all stages together are in the order of the cards. */
export const cardsByStage = <T extends { readonly stage: string }>(applications: readonly T[]): Map<string, T[]> =>
  new Map(
    [...Map.groupBy(applications, ({ stage }) => stage.toLowerCase())].map(([stage, ofStage]) => [
      stage,
      ofStage.slice(0, cardsPerStage),
    ]),
  )

/** Whether the cards of a column are complete: 20 of them, or as many as there are applications. */
export const isComplete = ({ count }: StageCount, cards: readonly unknown[]): boolean =>
  cards.length >= Math.min(count, cardsPerStage)
