/**
 * Copies the script of the documentation page from its npm package to packages/server/assets/docs and compresses it.
 * With --check it only compares the copy with the script in the package.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants as zlib } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const scriptFile = fileURLToPath(new URL('../../packages/server/assets/docs/scalar.js.br', import.meta.url))
const licenseFile = fileURLToPath(new URL('../../packages/server/assets/docs/scalar.LICENSE.txt', import.meta.url))

/** Reads the script over HTTP from a server that uses the package, because the package does not export the script. */
const packagedScript = async (): Promise<Buffer> => {
  const app = Fastify()
  await app.register(reference, { routePrefix: '/docs', configuration: { url: '/' } })
  const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The package responded ${statusCode} instead of its script.`)
  return rawPayload
}

const packagedLicense = (): Promise<string> =>
  readFile(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference')), 'utf8')

const compress = (script: Buffer): Buffer =>
  brotliCompressSync(script, {
    params: {
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
      [zlib.BROTLI_PARAM_SIZE_HINT]: script.length,
    },
  })

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const isCurrent = async (script: Buffer, license: string): Promise<boolean> => {
  const vendored = await readFile(scriptFile).catch(() => undefined)
  if (vendored === undefined) return false
  return (
    digest(brotliDecompressSync(vendored)) === digest(script) &&
    (await readFile(licenseFile, 'utf8').catch(() => '')) === license
  )
}

const script = await packagedScript()
const license = await packagedLicense()
if (await isCurrent(script, license)) {
  console.log(
    `packages/server/assets/docs contains the script of the installed package (sha256 ${digest(script).slice(0, 16)}).`,
  )
} else if (process.argv.includes('--check')) {
  console.error('packages/server/assets/docs is not from the installed package: run node tools/scripts/vendor-docs.ts')
  process.exitCode = 1
} else {
  const compressed = compress(script)
  await writeFile(scriptFile, compressed)
  await writeFile(licenseFile, license)
  console.log(`Wrote packages/server/assets/docs: ${script.length} bytes, ${compressed.length} compressed.`)
}
