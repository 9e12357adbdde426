/** How many probes a test sends: a thirtieth in `npm test`, all of them in `npm test -- probes`. */
export const probeCount = (all: number): number => (process.env.PROBES === 'all' ? all : Math.ceil(all / 30))
