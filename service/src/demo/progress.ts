/** In charge of telling how far the seed has come: one moving line on a terminal, one quiet line per table elsewhere. */
import type { WriteStream } from 'node:tty'
import type { SeedProgress } from './seed.ts'

const REDRAW_MS = 200
/** Before that the rate says little. */
const ESTIMATE_AFTER_S = 2

export function progressPrinter(out: WriteStream): (progress: SeedProgress) => void {
  const started = performance.now()
  let drawn = 0
  return (progress) => {
    const now = performance.now()
    if (progress.done) {
      if (out.isTTY) out.write('\r\u001b[K')
      out.write(`${progress.table} ${progress.rows}\n`)
    } else if (out.isTTY && now - drawn > REDRAW_MS) {
      drawn = now
      out.write(`\r\u001b[K${describe(progress, (now - started) / 1000)}`)
    }
  }
}

function describe({ table, rows, written, expected }: SeedProgress, seconds: number): string {
  const rate = written / Math.max(seconds, 0.001)
  const left = rate === 0 ? 0 : Math.max(0, expected - written) / rate
  const remaining = seconds < ESTIMATE_AFTER_S ? '' : ` · ${Math.ceil(left)} s left`
  return `${table} ${rows} · ${Math.round(rate)} rows/s${remaining}`
}
