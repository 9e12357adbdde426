/** In charge of turning a judged history into the outcome of a fault. */
import { readStored } from './creates.ts'
import type { Broken, Outcome } from './fault.ts'
import { unless } from './fault.ts'
import type { History } from './history.ts'

export interface Expectation {
  readonly fired: number
  /** Answers that may be given beside 201; "none" where a connection may break. */
  readonly besides: readonly string[]
  readonly broken?: readonly Broken[]
  readonly notes?: readonly string[]
}

/** Reads everything that is stored and holds the history against it. */
export const judgeHistory = async (
  history: History,
  databaseUrl: string,
  { fired, besides, broken = [], notes = [] }: Expectation,
): Promise<Outcome> => {
  const { acknowledged, lost, duplicated, unexpected, stale, answers, slowestMs } = history.judge(
    await readStored(databaseUrl),
  )
  const others = [...answers].filter(([answer]) => answer !== '201' && !besides.includes(answer))
  return {
    fired,
    acknowledged,
    lost: lost.length,
    duplicated: duplicated.length,
    stale: stale.length,
    slowestMs,
    broken: [
      ...unless(
        [lost.length === 0, 'nothing lost', some(lost)],
        [duplicated.length === 0, 'nothing twice', some(duplicated)],
        [unexpected.length === 0, 'nothing twice', some(unexpected)],
        [stale.length === 0, 'nothing stale', some(stale)],
        [others.length === 0, 'answers', others.map(([answer, count]) => `${count} × ${answer}`).join(', ')],
        [acknowledged > 0, 'answers', 'nothing was acknowledged at all'],
      ),
      ...broken,
    ],
    notes: [`answers ${[...answers].map(([answer, count]) => `${answer}: ${count}`).join(', ')}`, ...notes],
  }
}

const some = (list: readonly string[]): string =>
  `${list.slice(0, 3).join('; ')}${list.length > 3 ? `; and ${list.length - 3} more` : ''}`
