/** Runs the receiver in docs/webhooks.md, and compares the document with the code. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stablePort } from '../../../../tests/support/stable-port.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { readEndpoints } from '../../src/webhooks/endpoints.ts'
import { postMessage } from '../../src/webhooks/post.ts'
import { retryDelaysMs } from '../../src/webhooks/retries.ts'
import { newSecret } from './receiver.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

describe('docs/webhooks.md', () => {
  let document: string
  let folder: string
  before(async () => {
    document = await readFile(join(root, 'docs', 'webhooks.md'), 'utf8')
    folder = await mkdtemp(join(tmpdir(), 'muster-webhooks-document-'))
    await writeFile(join(folder, 'payroll.secret'), newSecret())
  })
  after(() => rm(folder, { recursive: true }))

  /** The first block of code in this language. */
  const block = (language: string): string =>
    new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'ms').exec(document)?.[1] ?? ''

  const readExample = async () => {
    const file = join(folder, 'webhooks.json')
    await writeFile(file, block('json').replace('/etc/muster/', `${folder}/`))
    const [endpoint] = readEndpoints(file)
    assert.ok(endpoint !== undefined)
    return endpoint
  }

  it('shows a file that can be read', async () => {
    const { name, resources } = await readExample()
    assert.deepEqual([name, resources?.map(({ path }) => path)], ['payroll', ['employees', 'leave']])
  })

  it('shows a receiver that verifies messages and ignores repeated ones', async () => {
    const port = await stablePort()
    const env = { PATH: process.env.PATH, PORT: String(port), SECRET_FILE: join(folder, 'payroll.secret') }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', block('js')], { cwd: root, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    const { secrets, allowedAddresses } = { ...(await readExample()), allowedAddresses: new Set(['loopback'] as const) }
    const url = new URL(`http://127.0.0.1:${port}/`)
    const post = (id: string, body: string, key = secrets) =>
      postMessage(
        { url, secrets: key, allowedAddresses },
        { id, body },
        { now: new Date(), signal: new AbortController().signal },
      )
    const message = /^\{"type":"muster\.changes".*$/m.exec(document)?.[0] ?? ''
    await waitUntil('the receiver listens', async () => (await post('msg_1', message)).outcome === 'delivered')
    assert.equal((await post('msg_1', message)).outcome, 'delivered')
    assert.equal((await post('msg_2', '{"type":"muster.resync","data":{}}')).outcome, 'delivered')
    const [otherSecret] = [Buffer.alloc(32, 1)]
    assert.deepEqual(await post('msg_3', message, [otherSecret]), { outcome: 'failed', reason: 'status 401' })
    child.kill()
    await once(child, 'close')
    assert.equal(output, 'leave 401 created\ncopy all records again\n')
  })

  it('lists the pauses between attempts, and the times since the first', () => {
    const rows = [...document.matchAll(/^\| \d+ \| (\d+) (second|minute|hour)s \| (\d\d):(\d\d):(\d\d) \|$/gm)]
    const unitMs: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 }
    assert.deepEqual(
      rows.map(([, count, unit = '']) => Number(count) * (unitMs[unit] ?? 0)),
      retryDelaysMs,
    )
    let passedMs = 0
    for (const [index, [, , , hours, minutes, seconds]] of rows.entries()) {
      passedMs += retryDelaysMs[index] ?? 0
      assert.equal(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000, passedMs)
    }
    assert.equal(passedMs, 75 * 3_600_000 + 35 * 60_000 + 5_000)
  })
})
