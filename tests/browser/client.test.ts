/** Loads the typed client as one bundled module on a page whose origin is not that of the service. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { build } from 'esbuild'
import type { Muster } from './support/muster.ts'
import { startMuster, writeToken } from './support/muster.ts'
import type { Site } from './support/site.ts'
import { startSite } from './support/site.ts'

const clientEntryFile = join(import.meta.dirname, '..', '..', 'packages', 'client', 'src', 'index.ts')

test.describe('the typed client in a browser', () => {
  let site: Site
  let muster: Muster
  test.beforeAll(async () => {
    const { outputFiles } = await build({
      ...{ entryPoints: [clientEntryFile], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
    })
    site = await startSite({ '/client.js': outputFiles?.[0]?.text ?? '' })
    muster = await startMuster({ settings: { MUSTER_CORS_ORIGINS: site.origin } })
  })
  test.afterAll(async () => {
    await muster?.stop()
    await site?.stop()
  })

  test('lists, iterates over, counts and creates records, reads a report, and reports errors', async ({ page }) => {
    await page.goto(site.origin)
    const result = await page.evaluate(
      async ({ moduleUrl, baseUrl, token }) => {
        const { createClient, MusterError } = (await import(moduleUrl)) as typeof import('@muster/client')
        const muster = createClient({ baseUrl, token, cache: 10 })
        const { data, meta } = await muster.employees.list({ limit: 2, fields: ['id'], expand: ['department'] })
        const repeatedList = await muster.employees.list({ limit: 2, fields: ['id'], expand: ['department'] })
        const counts = await muster.employees.count({ by: 'status' })
        const report = await muster.reports.leaveDays({ from: '2026-01-01', to: '2026-01-31' })
        const record = await muster.leave.create({ leave_type: 'annual' })
        const error: unknown = await muster.leave.create({ leave_type: '' }).catch((thrown: unknown) => thrown)
        let streamed = 0
        for await (const { id } of muster.employees.each()) streamed += id > 0 ? 1 : 0
        return {
          keys: Object.keys(data[0] ?? {}),
          total: meta.total,
          isSame: JSON.stringify(repeatedList.data) === JSON.stringify(data),
          counted: counts.meta.total,
          days: report.data.length,
          streamed,
          created: record.leave_type,
          problem: error instanceof MusterError ? error.problems[0]?.type : String(error),
        }
      },
      { moduleUrl: `${site.origin}/client.js`, baseUrl: `${muster.origin}/api`, token: writeToken },
    )
    assert.ok(result.total > 100)
    assert.deepEqual(result, {
      keys: ['id', 'department'],
      total: result.total,
      isSame: true,
      counted: result.total,
      days: 31,
      streamed: result.total,
      created: 'annual',
      problem: 'string_too_short',
    })
  })
})
