import type { WriteStream } from 'node:tty'
import type { SeedProgress } from './seed.ts'

const REDRAW_MS = 200
/** The remaining time is printed only after this many seconds, because the rate is too unreliable before. */
const ESTIMATE_AFTER_S = 2

/**
 * Prints the progress of the seed: on a terminal it redraws a single line, to any other stream it writes one line per
 * table.
 */
export function progressPrinter(output: WriteStream): (progress: SeedProgress) => void {
  const startedAt = performance.now()
  let lastRedraw = 0
  return (progress) => {
    const now = performance.now()
    if (progress.done) {
      if (output.isTTY) output.write('\r\u001b[K')
      output.write(`${progress.table} ${progress.rows}\n`)
    } else if (output.isTTY && now - lastRedraw > REDRAW_MS) {
      lastRedraw = now
      output.write(`\r\u001b[K${describeProgress(progress, (now - startedAt) / 1000)}`)
    }
  }
}

function describeProgress({ table, rows, rowsWritten, rowsExpected }: SeedProgress, seconds: number): string {
  const rate = rowsWritten / Math.max(seconds, 0.001)
  const secondsLeft = rate === 0 ? 0 : Math.max(0, rowsExpected - rowsWritten) / rate
  const estimate = seconds < ESTIMATE_AFTER_S ? '' : ` · ${Math.ceil(secondsLeft)} s left`
  return `${table} ${rows} · ${Math.round(rate)} rows/s${estimate}`
}
