import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes, sendRequest } from '../../../../tests/support/http.ts'
import { parseMarkdown } from '../../../../tests/support/markdown.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { buildDocuments } from '../../../../tools/scripts/build-documents.ts'

describe('the documents', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string
  let origin: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-documents-'))
    buildDocuments(folder)
    database = await createTestDatabase()
    service = await startService(database.url, { documentsFolder: pathToFileURL(`${folder}/`) })
    origin = `http://127.0.0.1:${service.port}`
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are linked from /llms.txt, and every link between them leads to a document and a heading in it', async () => {
    const texts = new Map<string, string>()
    const read = async (path: string): Promise<string> => {
      const { status, text } = await sendRequest(`${origin}${path}`)
      assert.equal(status, 200, path)
      texts.set(path, text)
      return text
    }
    const links = new Set([{ from: '/', path: '/llms.txt', anchor: '' }])
    for (const { path } of links) {
      if (texts.has(path) || !/\.(md|txt)$/.test(path)) continue
      for (const { target } of parseMarkdown(await read(path)).links) {
        if (/^[a-z]+:/.test(target)) continue
        const [file = '', anchor = ''] = target.split('#')
        links.add({ from: path, path: file === '' ? path : posix.join(posix.dirname(path), file), anchor })
      }
    }
    for (const { from, path, anchor } of links) {
      const text = texts.get(path) ?? (await read(path))
      assert.ok(anchor === '' || parseMarkdown(text).anchors.has(anchor), `${from} links to ${path}#${anchor}`)
    }
    assert.ok(texts.size > 28, `${texts.size} documents`)
    assert.ok(texts.has('/docs/recipes/nightly-copy.sh'))
    assert.ok(texts.has('/docs/runbooks/MusterDown.md'))
    assert.ok(!texts.has('/docs/testing.md'))
  })

  it('are an index in the format of llms.txt: a title, a summary, and sections of links with descriptions', async () => {
    const { text } = await sendRequest(`${origin}/llms.txt`)
    assert.match(text, /^# Muster.*\n\n(> .+\n)+\n/)
    const [, ...sections] = text.split(/^## /m)
    assert.ok(sections.length > 3)
    for (const section of sections) assert.match(section, /^.+\n\n(- \[.+\]\(.+\)(, | and \[.+\]\(.+\))?: .+\n)+\n*$/)
  })

  it('contain no image and no code block that is cut off', async () => {
    const { text } = await sendRequest(`${origin}/docs/README.md`)
    assert.doesNotMatch(text, /!\[|\.webp/)
    assert.match(text, /^```sh run\ncurl -s 'http:\/\/127\.0\.0\.1:8080\/api\/v1\/career-sites/m)
  })

  const contentTypes = [
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/interface.md', 'text/markdown; charset=utf-8'],
    ['/docs/recipes/nightly-copy.sh', 'text/plain; charset=utf-8'],
    ['/docs/recipes/n8n-away-today.json', 'application/json'],
  ] as const
  for (const [path, contentType] of contentTypes)
    it(`has ${path} as ${contentType}, with an ETag, compressed on request`, async () => {
      const response = await sendRequest(`${origin}${path}`)
      const { headers } = response
      assert.deepEqual(
        [headers.get('content-type'), headers.get('cache-control'), headers.get('vary')],
        [contentType, 'no-cache', 'accept-encoding'],
      )
      const etag = headers.get('etag') ?? ''
      assert.match(etag, /^"/)
      assert.equal((await sendRequest(`${origin}${path}`, { headers: { 'if-none-match': etag } })).status, 304)
      const head = await sendRequest(`${origin}${path}`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])
      const identity = await sendRawBytes(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.ok(Buffer.from(identity, 'latin1').toString().endsWith(`\r\n\r\n${response.text}`))
    })

  it('can be read by web pages of every origin, with every mode of reads', async () => {
    const closedService = await startService(database.url, {
      documentsFolder: pathToFileURL(`${folder}/`),
      reads: 'token',
    })
    const response = await sendRequest(`http://127.0.0.1:${closedService.port}/docs/errors.md`, {
      headers: { origin: 'https://example.com' },
    })
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, '*'])
    await closedService.stop()
  })

  const missingPaths = [
    ...['/docs', '/docs/', '/docs/missing.md', '/docs/interface', '/docs/recipes', '/docs/recipes/', '/docs/llms.txt'],
    ...[
      '/docs/../package.json',
      '/docs/../../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/..%2f..%2fpackage.json',
    ],
    ...['/docs/recipes/../../../package.json', '/docs//etc/passwd', '/docs/%2fetc%2fpasswd', '/docs/..\\package.json'],
    ...['/docs/interface.md%00', '/docs/./interface.md', '/docs/__proto__', '/docs/INTERFACE.md'],
  ]
  it('are the only files that can be read', async () => {
    for (const path of missingPaths) {
      const response = await sendRawBytes(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.match(response, /^HTTP\/1\.1 40[04] /, path)
      assert.doesNotMatch(response, /"dependencies"|root:/, path)
    }
  })

  it('are missing in a clone without a build', async () => {
    const otherService = await startService(database.url, { documentsFolder: pathToFileURL(`${folder}/missing/`) })
    for (const path of ['/llms.txt', '/docs/interface.md'])
      assert.equal((await sendRequest(`http://127.0.0.1:${otherService.port}${path}`)).status, 404)
    await otherService.stop()
  })
})
