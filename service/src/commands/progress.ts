/** In charge of telling how far a command has come: one moving line on a terminal, one quiet line per step elsewhere. */
import type { Io } from './command.ts'

export interface Progress {
  /** Where things stand; shown on a terminal only, and not more often than an eye can follow. */
  moving(text: () => string): void
  /** A step that is done, or has begun: stays. */
  step(text: string): void
  /** Takes the moving line away. */
  clear(): void
}

const redrawMs = 200
const clearLine = '\r\u001b[K'

export const progressOn = ({ stderr }: Io): Progress => {
  let drawn = Number.NEGATIVE_INFINITY
  const clear = (): void => {
    if (stderr.isTTY && drawn > 0) stderr.write(clearLine)
  }
  return {
    moving(text) {
      const now = performance.now()
      if (!stderr.isTTY || now - drawn < redrawMs) return
      drawn = now
      stderr.write(`${clearLine}${text()}`)
    },
    step(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    clear,
  }
}

const numbers = new Intl.NumberFormat('en')

export const count = (value: number, one: string, many: string): string =>
  `${numbers.format(value)} ${value === 1 ? one : many}`
