import { scaleThreshold } from '@visx/scale'

/** The step of the sequential colours for a rate. */
export const stepScale = (steps: readonly number[]) =>
  scaleThreshold<number, number>({ domain: [...steps], range: [0, 1, 2, 3, 4, 5, 6] })

export type StepScale = ReturnType<typeof stepScale>

export const stepColors = (step: number) => ({
  background: `var(--seq-${step})`,
  color: `var(--seq-${step}-ink)`,
})
