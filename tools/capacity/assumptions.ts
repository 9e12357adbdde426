/** Inputs of the capacity model that were not measured. Replace them with your own values. */
import type { Assumptions } from './model.ts'

export const assumptions: Assumptions = {
  mix: { unchanged: 300, hotList: 250, hotGet: 250, page: 150, search: 40, create: 10 },
  utilization: 0.5,
  serviceMachineCores: 16,
  databaseMachineCores: 64,
  proxyMicros: 20,
  dollarsPerCoreHour: 0.05,
  sessionsPerServer: 500,
}

/** Request rates per second for which the capacity model computes the number of machines. */
export const rates: readonly number[] = [1_000, 100_000, 1_000_000, 10_000_000]
