/** In charge of measuring how cost grows: with the rows of the table, and with the depth of the page. */
import { freshItem, freshList, freshListAt } from '../addresses.ts'
import type { Case } from '../measurement.ts'
import { loadEngine } from '../pgbench.ts'
import { startService, using } from '../service-process.ts'
import { attendanceColumns, offsetPage, pageRows } from '../statements.ts'
import { alone } from './lists.ts'

export const sizes = (large: number): number[] => [
  ...[10_000, 100_000, 1_000_000].filter((rows) => rows < large),
  large,
]

const growth: Case = {
  name: 'growth',
  async measure(bench) {
    const figures: Record<string, number> = {}
    for (const rows of sizes(bench.options.large)) {
      const url = await bench.databases.attendance(rows)
      await using(startService(url, 0), async ({ origin }) => {
        const deep = freshListAt('attendance', rows * 0.9, rows - pageRows)
        Object.assign(figures, await alone(bench, `growth-list-${rows}`, origin, freshList('attendance')))
        Object.assign(figures, await alone(bench, `growth-deep-${rows}`, origin, deep))
        Object.assign(figures, await alone(bench, `growth-get-${rows}`, origin, freshItem('attendance', rows)))
      })
      const count = { script: 'select count(*) from attendance;\n', clients: 1, times: 3 }
      figures[`growth-count-${rows}.p50`] = (await loadEngine(url, count)).latency
    }
    return figures
  },
}

/** Parts of the way through the table. */
export const depths = [0, 0.001, 0.01, 0.1, 0.5, 0.99] as const

const depth: Case = {
  name: 'depth',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    const figures: Record<string, number> = {}
    await using(startService(url, 0), async ({ origin }) => {
      for (const part of depths) {
        const from = large * part
        const path = freshListAt('attendance', from, from + pageRows)
        Object.assign(figures, await alone(bench, `depth-${part}`, origin, path))
        const skip = { script: offsetPage('attendance', attendanceColumns, from), clients: 1, times: 3 }
        figures[`engine-depth-${part}.p50`] = (await loadEngine(url, skip)).latency
      }
    })
    return figures
  },
}

export const growths: readonly Case[] = [growth, depth]
