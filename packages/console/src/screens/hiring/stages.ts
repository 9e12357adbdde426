import { resourceAt } from '@muster/model'

const suggestedStages = resourceAt('applications').allFields.find(({ name }) => name === 'stage')?.values ?? []

/** Stages that are not suggested come after those that are. */
const position = (stage: string): number => {
  const index = suggestedStages.indexOf(stage.toLowerCase())
  return index === -1 ? suggestedStages.length : index
}

export const compareStages = (a: string, b: string): number => position(a) - position(b) || (a < b ? -1 : 1)

/** The step of the sequential colours for a stage. There is one for each suggested stage before the last, `hired`. */
export const stageStep = (stage: string): number | undefined => {
  const index = position(stage)
  return index < suggestedStages.length - 1 ? index : undefined
}

/** The stages of a job opening from `stages_json`: an array of texts, or of objects with a `name`. */
export const jobStages = (stagesJson: string | null): string[] => {
  const stages = parseStages(stagesJson) ?? suggestedStages
  return [...new Set(stages.map((stage) => stage.toLowerCase()))]
}

const parseStages = (stagesJson: string | null): string[] | undefined => {
  try {
    const stages: unknown = JSON.parse(stagesJson ?? 'null')
    if (!Array.isArray(stages) || stages.length === 0) return undefined
    const names = stages.map((stage: unknown) =>
      typeof stage === 'object' && stage !== null && 'name' in stage ? stage.name : stage,
    )
    return names.every((name) => typeof name === 'string') ? names : undefined
  } catch {
    return undefined
  }
}
