/** A small output of the console's build, for tests of the server that must not depend on the console itself. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const script = `console.log('${'muster '.repeat(2_000)}')`
const styles = `body { color: #0a6172 }${' '.repeat(2_000)}`
const font = Buffer.from(`wOF2${'font '.repeat(1_000)}`)
const html = `<!doctype html>
<title>Muster</title>
<link rel="icon" href="./assets/icon.svg">
<script type="module" crossorigin src="./assets/index-B1x_-9Za.js"></script>
<link rel="stylesheet" crossorigin href="./assets/index-C2y_-8Yb.css">
<noscript><a href="../api/docs">API</a></noscript>
<p>"./assets/" is text</p>
${'<!-- -->'.repeat(200)}`

/** The pages of screens: each says which one it is, and links to a script, to another screen and to the API. */
const screenPage = (name: string): string => `<title>${name}</title>
<link rel="modulepreload" href="./assets/index-B1x_-9Za.js"><a href="./today">Today</a>
<noscript><a href="../api/docs">API</a></noscript>`
const pages = {
  '/': screenPage('today'),
  '/people': screenPage('people'),
  '/people/$id': screenPage('person'),
  '/hiring/openings/$id': screenPage('opening'),
}

export const consoleBuild = { script, styles, font, html } as const

/** Writes files as the build does: a Brotli file beside each text file, and csp.json last. */
export const writeConsoleBuild = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'pages.json'), JSON.stringify(pages))
  const texts = { 'index-B1x_-9Za.js': script, 'index-C2y_-8Yb.css': styles, 'data-D3z_-7Xc.json': '{}' }
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(folder, 'assets', name), text)
    await writeFile(join(folder, 'assets', `${name}.br`), brotliCompressSync(text))
  }
  await writeFile(join(folder, 'assets', 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'assets', 'inter-E4a_-6Wd.woff2'), font)
  await writeFile(join(folder, 'assets', 'data-F5b_-5Ve.bin'), 'x')
  await writeFile(join(folder, 'csp.json'), JSON.stringify({ styleHashes: ['sha256-first=', 'sha256-second='] }))
}
