import { stageStep } from './stages.ts'

/** The background of a stage and the ink on it. Stages that are not suggested have the colour of what is ordinary. */
export const stageColors = (stage: string) => {
  const step = stageStep(stage)
  return step === undefined
    ? { background: 'var(--chart-base)', color: 'var(--ink)' }
    : { background: `var(--seq-${step})`, color: `var(--seq-${step}-ink)` }
}
