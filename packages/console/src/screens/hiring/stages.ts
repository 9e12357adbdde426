import { applicationStages } from '@muster/model'

const allStages: readonly string[] = applicationStages

/** Stages that are not suggested come after those that are. */
const position = (stage: string): number => {
  const index = allStages.indexOf(stage.toLowerCase())
  return index === -1 ? allStages.length : index
}

export const compareStages = (a: string, b: string): number => position(a) - position(b) || (a < b ? -1 : 1)

/** The step of the sequential colours for a stage. There is one for each suggested stage before the last, `hired`. */
export const stageStep = (stage: string): number | undefined => {
  const index = position(stage)
  return index < allStages.length - 1 ? index : undefined
}
