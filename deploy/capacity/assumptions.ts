/** In charge of what the model of capacity takes for granted: nobody measured it here, and everybody may know better. */
import type { Assumptions } from './model.ts'

export const assumptions: Assumptions = {
  mix: { unchanged: 300, hotList: 250, hotGet: 250, page: 150, search: 40, create: 10 },
  utilization: 0.5,
  serviceMachineCores: 16,
  databaseMachineCores: 64,
  frontMicros: 20,
  coreHour: 0.05,
  sessionsPerServer: 500,
}

/** Requests a second that the bill is made out for. */
export const rates: readonly number[] = [1_000, 100_000, 1_000_000, 10_000_000]
