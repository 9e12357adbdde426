import { printable } from '../printable.ts'
import type { Io } from './command.ts'

export interface Progress {
  /** Redraws the status line at most once per `redrawMs`, and only if the output is a terminal. */
  update(text: () => string): void
  /** Prints a line that later status lines do not overwrite. */
  step(text: string): void
  /** Removes the status line. */
  clear(): void
}

const redrawMs = 200
const clearLine = '\r\u001b[K'

export const openProgress = ({ stderr }: Io): Progress => {
  let drawnAt = Number.NEGATIVE_INFINITY
  const clear = (): void => {
    if (stderr.isTTY && drawnAt > 0) stderr.write(clearLine)
  }
  return {
    update(text) {
      const now = performance.now()
      if (!stderr.isTTY || now - drawnAt < redrawMs) return
      drawnAt = now
      stderr.write(`${clearLine}${printable(text())}`)
    },
    step(text) {
      clear()
      stderr.write(`${printable(text)}\n`)
    },
    clear,
  }
}

const numberFormat = new Intl.NumberFormat('en')

export const formatCount = (value: number, singular: string, plural: string): string =>
  `${numberFormat.format(value)} ${value === 1 ? singular : plural}`
