/**
 * Measures every report over a database with demo data: the first request, and a repeated one, which is served from the
 * cache.
 *
 *   DATABASE_URL=… node tools/bench/reports.ts
 *
 * Prepare the database with "muster migrate" and "muster seed --size large". Exits with 1 if a request takes longer than
 * its limit.
 */
import { reports } from '@muster/model'
import { Client } from 'pg'
import { runBench, UsageError } from './command.ts'
import { startService, withServer } from './service-process.ts'

const firstLimitsMs: Readonly<Record<string, number>> = { 'org-chart': 1_000, 'data-health': 5_000 }
const defaultFirstLimitMs = 2_500
const repeatedLimitMs = 10

/** Further parameters that make a report read as much as it can. */
const wholeCompany: Readonly<Record<string, string>> = {
  'org-chart': 'depth=32&managers_only=true',
  headcount: 'from=2010-01',
  attendance: 'from=2010-01-01',
}

/** The report by default, with its widest parameters, and with each value of each choice; also the present one, if it differs. */
const queriesOf = ({ name, allParameters, past }: (typeof reports)[number], asOf: string): string[] => {
  const wide = wholeCompany[name] === undefined ? '' : `&${wholeCompany[name]}`
  const choices = allParameters.flatMap(({ name: parameter, values = [] }) =>
    values.map((value) => `&${parameter}=${encodeURIComponent(value)}`),
  )
  const queries = new Set(['', wide, ...choices.map((choice) => `${wide}${choice}`)])
  return [...[...queries].map((rest) => `as_of=${asOf}${rest}`), ...(past === undefined ? [] : [wide.slice(1)])]
}

const measure = async (
  url: string,
): Promise<{ readonly ms: number; readonly status: number; readonly rows: number }> => {
  const startedAt = performance.now()
  const response = await fetch(url)
  const body = (await response.json()) as { data?: unknown[] }
  return { ms: performance.now() - startedAt, status: response.status, rows: body.data?.length ?? 0 }
}

const run = async (databaseUrl: string): Promise<boolean> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ as_of: string; employees: string; attendance: string }>(
    `select as_of::text, (select count(*) from employees)::text as employees, (select count(*) from attendance)::text as attendance from muster_seed`,
  )
  await client.end()
  const [company] = rows
  if (company === undefined)
    throw new UsageError('The database has no demo data: run "muster seed --size large" first.')
  console.log(`${company.employees} employees, ${company.attendance} attendance records, as of ${company.as_of}`)
  console.log('| Request | Rows | First | Repeated |\n|---|---|---|---|')
  let isWithinLimits = true
  await withServer(startService(databaseUrl), async ({ origin }) => {
    for (const report of reports) {
      for (const query of queriesOf(report, company.as_of)) {
        const url = `${origin}/api/v1/reports/${report.name}?${query}`
        const first = await measure(url)
        await measure(url)
        const repeated = await measure(url)
        const isFast =
          first.status === 200 &&
          first.ms <= (firstLimitsMs[report.name] ?? defaultFirstLimitMs) &&
          repeated.ms <= repeatedLimitMs
        if (!isFast) isWithinLimits = false
        console.log(
          `| \`${report.name}?${query}\` | ${first.rows} | ${first.ms.toFixed(0)} ms | ${repeated.ms.toFixed(1)} ms |${isFast ? '' : ' TOO SLOW'}${first.status === 200 ? '' : ` status ${first.status}`}`,
        )
      }
    }
  })
  return isWithinLimits
}

await runBench('a database with demo data', run)
