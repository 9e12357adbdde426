/**
 * List of optimizations. `npm run bench -- compare` measured the service with and without each of them, and each entry
 * says whether the optimization was kept.
 */
interface Optimization {
  readonly name: string
  readonly measured: string
  /** Cost without the optimization divided by the cost with it. */
  readonly gain: string
  /** Number of lines of code of the optimization. */
  readonly lines: string
  readonly verdict: string
}

const optimizations: readonly Optimization[] = [
  {
    name: 'fast path ahead of Fastify (`http/cache/fast-path.ts`)',
    measured: 'cached list; cached get',
    gain: '1.53; 1.42',
    lines: '82',
    verdict: 'kept',
  },
  {
    name: 'prebuilt response heads (`http/cache/prebuilt-head.ts`)',
    measured: 'cached list; cached get',
    gain: '1.17; 1.38',
    lines: '53',
    verdict: 'kept for the get',
  },
  {
    name: 'one query for concurrent gets (`queries/get.ts`)',
    measured: 'gets of different ids',
    gain: '1.88',
    lines: '40',
    verdict: 'kept',
  },
  {
    name: 'our own prepared query (`postgres/connection/prepared-query.ts`) instead of the driver’s named queries',
    measured: 'different pages; memory after all cases; gets of different ids; creates, 7 pairs of 2 s',
    gain: '1.28 (0.98 to 1.62); 1.23; 0.91 (0.82 to 1.03); 0.87 (0.81 to 0.93)',
    lines: '93',
    verdict: 'kept for pages and memory, at the bound',
  },
  {
    name: 'caching cheap responses only at their second request (`http/cache/response-cache.ts`)',
    measured: 'different pages; memory after all cases',
    gain: '1.67; 1.28',
    lines: '8',
    verdict: 'kept',
  },
  {
    name: 'page-aligned buffers (`http/cache/response-cache.ts`)',
    measured: 'memory at the same load',
    gain: '1.14',
    lines: '4',
    verdict: 'kept for the memory',
  },
  {
    name: 'levels of count buckets (`muster_seek_row`)',
    measured: 'seek in 10 million rows, in SQL',
    gain: '65',
    lines: '25',
    verdict: 'kept',
  },
  {
    name: 'row counts of the parts of a bucket as arrays (`muster_find_row`)',
    measured: 'page at a large offset of a million rows, in SQL',
    gain: '1.7',
    lines: '130',
    verdict: 'kept',
  },
  {
    name: 'skipping rows of a deep page in the index of the ids',
    measured: 'deep pages, 12 pairs of 1 s: CPU time; rate',
    gain: '1.3; 1.36',
    lines: '3',
    verdict: 'kept',
  },
  {
    name: 'no listener for the end of a cached response that the kernel has taken',
    measured: 'cached get and list, 16 pairs of 1 s: rate',
    gain: '1.18; 1.22',
    lines: '8',
    verdict: 'kept',
  },
  {
    name: 'removing a loaded response from the map of running loads',
    measured: 'uncached lists: memory under load; full garbage collections in 12 s',
    gain: '1.37; 4.5',
    lines: '5',
    verdict: 'kept',
  },
  {
    name: 'cache of page offsets in front of the seek',
    measured: 'deep pages: CPU time; rate',
    gain: '1.0; 1.6',
    lines: '190',
    verdict: 'deleted with its table of bucket revisions; the seek became 2.4 times as fast',
  },
  {
    name: 'a second set of database sessions for prepared searches',
    measured: 'searches for different rare words: CPU time; rate',
    gain: '0.78 (0.75 to 1.22); 0.86 (0.45 to 1.02)',
    lines: '35',
    verdict: 'deleted',
  },
  {
    name: 'head and body of a cached response in one string, sent by one write',
    measured: 'cached list: CPU time; rate',
    gain: '0.85 (0.74 to 1.04); 0.92',
    lines: '30',
    verdict: 'tried, not added',
  },
  {
    name: 'Node’s server option `optimizeEmptyRequests`',
    measured: 'cached list, two runs of 21 and 31 pairs: CPU time',
    gain: '1.15 (1.08 to 1.36); 0.81 (0.74 to 0.93)',
    lines: '1',
    verdict: 'tried, not added: the runs contradict each other',
  },
  {
    name: 'fingerprint of a replica’s table versions',
    measured: 'not an optimization: without it a replica could serve a state that the primary never had',
    gain: '–',
    lines: '20',
    verdict: 'kept',
  },
]

export const optimizationHeads = ['Optimization', 'Measured', 'Gain', 'Lines', 'Verdict'] as const

export const optimizationRows = (): string[][] =>
  optimizations.map(({ name, measured, gain, lines, verdict }) => [name, measured, gain, lines, verdict])
