/** The console works through both reverse proxies, and below a path of a host. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { consoleBuild, writeConsoleBuild } from '../support/console-build.ts'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { post, sendRawRequest, sendRequest } from '../support/http.ts'
import { startHaproxy, startNginx, startNginxBelowPath } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service.ts'

describe('the console behind a reverse proxy', () => {
  let database: TestDatabase
  let folder: string
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-console-'))
    await writeConsoleBuild(folder)
    service = await startService(database.url, { consoleFolder: pathToFileURL(`${folder}/`) })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
    await database.drop()
  })

  for (const [name, startProxy, path] of [
    ['nginx', startNginx, '/'],
    ['haproxy', startHaproxy, '/'],
    ['nginx below /hr/', startNginxBelowPath, '/hr/'],
  ] as const) {
    it(`is found and loads its assets on every screen through ${name}`, async (t) => {
      const proxy = await startProxy(service.port)
      t.after(() => proxy.stop())
      const root = `http://127.0.0.1:${proxy.port}${path}`
      for (const entry of [root, `${root}console`]) {
        const { status, headers } = await sendRawRequest(entry, { headers: { accept: 'text/html' } })
        assert.equal(status, 302, entry)
        assert.equal(new URL(headers.location ?? '', entry).href, `${root}console/`)
      }
      for (const screen of ['console/', 'console/people/12?tab=leave', 'console/no/such/screen']) {
        const { text } = await sendRequest(root + screen)
        const urls = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(
          ([, url = '']) => new URL(url, root + screen).href,
        )
        assert.deepEqual(urls.at(-1), `${root}api/docs`)
        for (const url of urls) assert.equal((await sendRequest(url)).status, 200, url)
        const script = urls.find((url) => url.endsWith('.js'))
        assert.equal((await sendRequest(script ?? '')).text, consoleBuild.script)
      }
      const created = await post(`${root}api/v1/leave`, { leave_type: 'annual' })
      const location = new URL(created.headers.get('location') ?? '', root).href
      assert.deepEqual((await sendRequest(location)).json, created.json)
    })
  }

  it('is documented with the lines that this test uses', async () => {
    const document = await readFile(new URL('../../deploy/reverse-proxies/README.md', import.meta.url), 'utf8')
    assert.ok(
      document.includes('  location /hr/ {\n    proxy_pass http://muster/;\n    proxy_redirect / /hr/;\n'),
      document,
    )
  })
})
