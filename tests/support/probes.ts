/** How many probes a test sends: all of them in `npm test -- probes`, and a part in `npm test`. */
export const probeCount = (all: number, divisor = 30): number =>
  process.env.PROBES === 'all' ? all : Math.ceil(all / divisor)
