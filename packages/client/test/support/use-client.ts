/**
 * Calls the methods of the client, and prints the results as JSON. It is bundled with the client and run by several
 * runtimes: <runtime> use-client.js http://127.0.0.1:8080/api <token>
 */
import { createClient, MusterError } from '@muster/client'

const [baseUrl = '', token] = process.argv.slice(2)
const muster = createClient({ baseUrl, token, cache: 10 })

const page = await muster.employees.list({ limit: 2, fields: ['id'], expand: ['department'] })
const repeatedPage = await muster.employees.list({ limit: 2, fields: ['id'], expand: ['department'] })
const counts = await muster.employees.count({ by: 'status' })
const report = await muster.reports.leaveDays({ from: '2026-01-01', to: '2026-01-31' })
const created = await muster.leave.create({ leave_type: 'annual' })
const error: unknown = await muster.leave.create({ leave_type: '' }).catch((thrown: unknown) => thrown)
const aborted: unknown = await muster.leave
  .get(created.id, {}, { signal: AbortSignal.abort('stopped') })
  .catch((thrown: unknown) => thrown)
let streamed = 0
for await (const { id } of muster.employees.each()) streamed += id > 0 ? 1 : 0
for await (const { id } of muster.attendance.each()) if (id > 0) break

export const results = {
  keys: Object.keys(page.data[0] ?? {}),
  total: page.meta.total,
  repeatedIsSame: JSON.stringify(repeatedPage) === JSON.stringify(page),
  counted: counts.meta.total,
  days: report.data.length,
  isStored: (await muster.leave.get(created.id)).leave_type === 'annual',
  problem: error instanceof MusterError ? error.problems[0]?.type : String(error),
  aborted,
  streamed,
}
console.log(JSON.stringify(results))
