/** In charge of reads in mass: as many as so many clients can, or so many a second whatever becomes of them. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from './client.ts'

/** Clients that ask again as soon as they are answered; returns how many answers of a kind a second they get. */
export const rateOf = async (
  clients: number,
  seconds: number,
  ask: () => Promise<Answer>,
  counts: (answer: Answer) => boolean = () => true,
): Promise<number> => {
  const end = performance.now() + seconds * 1_000
  let counted = 0
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await ask()
      if (counts(answer)) counted += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, work))
  return counted / seconds
}

/** Asks so many times a second, and waits for no answer before it asks again; no answer at all has the status 0. */
export const schedule = async (perSecond: number, seconds: number, ask: () => Promise<Answer>): Promise<Answer[]> => {
  const started = performance.now()
  const asked: Promise<Answer>[] = []
  while (performance.now() < started + seconds * 1_000) {
    const due = ((performance.now() - started) / 1_000) * perSecond
    while (asked.length < due) asked.push(ask().catch(() => ({ status: 0, headers: {}, text: '', ms: 0 })))
    await pause(5)
  }
  return Promise.all(asked)
}

/** Milliseconds that a part of the answers took at most; 1 for the slowest. */
export const percentile = (answers: readonly Answer[], part: number): number => {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
