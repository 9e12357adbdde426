/** Bundles the client into one module and checks its size, its imports and its types. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
const maxBytes = 6_000

describe('the client as one module', () => {
  it(`has at most ${maxBytes} bytes and imports nothing`, async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(folder, 'src', 'index.ts')],
      ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', platform: 'neutral' },
      ...{ write: false, metafile: true },
    })
    const bytes = outputFiles?.[0]?.contents ?? new Uint8Array()
    const compressed = brotliCompressSync(bytes).length
    console.log(`@muster/client: ${bytes.length} bytes minified, ${compressed} with brotli`)
    assert.ok(bytes.length > 1_000)
    assert.ok(compressed <= maxBytes)
    const inputs = Object.keys(metafile.inputs)
    assert.deepEqual(
      inputs.filter((file) => !file.includes('packages/client/src/')),
      [],
    )
  })

  it('has types that compile without those of Node, and that accept and reject the code in test/types as expected', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(stdout, '')
  })
})
