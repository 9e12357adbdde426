/** Loads the typed client as one bundled module on a page whose origin is not that of the service. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { build } from 'esbuild'
import type { TestBrowser } from './support/browser.ts'
import { openBrowser } from './support/browser.ts'
import type { RunningService } from './support/served.ts'
import { serve } from './support/served.ts'

const clientEntryFile = join(import.meta.dirname, '..', '..', 'packages', 'client', 'src', 'index.ts')

describe('the typed client in a browser', () => {
  let siteServer: Server
  let service: RunningService
  let chromium: TestBrowser
  before(async () => {
    const { outputFiles } = await build({
      ...{ entryPoints: [clientEntryFile], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
    })
    const bundledClient = outputFiles?.[0]?.text ?? ''
    siteServer = createServer(({ url }, response) => {
      if (url === '/client.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(bundledClient)
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>')
    })
    siteServer.listen(0, '127.0.0.1')
    await once(siteServer, 'listening')
    service = await serve({ MUSTER_CORS_ORIGINS: originOf(siteServer) })
    chromium = await openBrowser()
  })
  after(async () => {
    await chromium?.close()
    await service?.stop()
    siteServer?.close()
  })

  const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  test('lists, iterates over, counts and creates records, reads a report, and reports errors', async () => {
    const page = await chromium.newPage()
    await page.goto(originOf(siteServer))
    const result = await page.evaluate(
      async (moduleUrl: string, baseUrl: string, token: string) => {
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
      `${originOf(siteServer)}/client.js`,
      `${service.origin}/api`,
      service.token,
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
