import type { ParentContext } from './trace-context.ts'

export interface SamplerSettings {
  /** Whether a trace that another service started is recorded if and only if that service recorded it. */
  readonly parentBased: boolean
  /** The share of the other traces that are recorded, from 0 to 1. */
  readonly ratio: number
}

export type Sampler = (traceId: string, parent: ParentContext | undefined) => boolean

/**
 * Decides which traces are recorded. The ratio is applied to the last 56 bits of the trace id, which are random: a trace
 * is recorded if they are at least `(1 - ratio) * 2^56`, as in OpenTelemetry's ProbabilitySampler. So every process
 * decides the same for a trace, and a higher ratio records all traces that a lower one records.
 */
export const openSampler = ({ parentBased, ratio }: SamplerSettings): Sampler => {
  const isInRatio = openRatio(ratio)
  return (traceId, parent) => (parentBased && parent !== undefined ? parent.sampled : isInRatio(traceId))
}

const openRatio = (ratio: number): ((traceId: string) => boolean) => {
  const recorded = BigInt(Math.round(ratio * 2 ** 56))
  if (recorded === 0n) return () => false
  // Compared as text: a number in JavaScript has only 53 bits.
  const threshold = (2n ** 56n - recorded).toString(16).padStart(14, '0')
  return (traceId) => traceId.slice(-14) >= threshold
}
