/** Measures how latency grows with the size of the table and with the offset of the page. */
import type { Case } from '../measurement.ts'
import { runPgbench } from '../pgbench.ts'
import { startService, withServer } from '../service-process.ts'
import { attendanceColumns, offsetPageSql, pageRows } from '../statements.ts'
import { uniqueItemPath, uniqueListPath, uniqueListPathBetween } from '../urls.ts'
import { measureWithOneConnection } from './lists.ts'

export const tableSizes = (large: number): number[] => [
  ...[10_000, 100_000, 1_000_000].filter((rows) => rows < large),
  large,
]

const tableSizeCase: Case = {
  name: 'growth',
  async measure(bench) {
    const figures: Record<string, number> = {}
    for (const rows of tableSizes(bench.options.large)) {
      const url = await bench.databases.attendance(rows)
      await withServer(startService(url, 0), async ({ origin }) => {
        const deepPath = uniqueListPathBetween('attendance', rows * 0.9, rows - pageRows)
        Object.assign(
          figures,
          await measureWithOneConnection(bench, `growth-list-${rows}`, origin, uniqueListPath('attendance')),
        )
        Object.assign(figures, await measureWithOneConnection(bench, `growth-deep-${rows}`, origin, deepPath))
        Object.assign(
          figures,
          await measureWithOneConnection(bench, `growth-get-${rows}`, origin, uniqueItemPath('attendance', rows)),
        )
      })
      const countOptions = { script: 'select count(*) from attendance;\n', clients: 1, transactions: 3 }
      figures[`growth-count-${rows}.p50`] = (await runPgbench(url, countOptions)).latency
    }
    return figures
  },
}

/** Offsets of the measured pages, as fractions of the number of rows. */
export const offsetFractions = [0, 0.001, 0.01, 0.1, 0.5, 0.99] as const

const offsetCase: Case = {
  name: 'depth',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    const figures: Record<string, number> = {}
    await withServer(startService(url, 0), async ({ origin }) => {
      for (const fraction of offsetFractions) {
        const offset = large * fraction
        const path = uniqueListPathBetween('attendance', offset, offset + pageRows)
        Object.assign(figures, await measureWithOneConnection(bench, `depth-${fraction}`, origin, path))
        const offsetOptions = {
          script: offsetPageSql('attendance', attendanceColumns, offset),
          clients: 1,
          transactions: 3,
        }
        figures[`engine-depth-${fraction}.p50`] = (await runPgbench(url, offsetOptions)).latency
      }
    })
    return figures
  },
}

export const growthCases: readonly Case[] = [tableSizeCase, offsetCase]
