/** The size of the scripts. */
import { readdir, stat } from 'node:fs/promises'
import { openConsole } from '../support/console-page.ts'
import { recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const assets = new URL('../../../packages/server/console/assets/', import.meta.url)
const maxScriptBytes = 400_000
const maxFirstScriptBytes = 200_000

test('all scripts together are small', async () => {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js.br'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(new URL(name, assets))).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${names.length} scripts, ${total} bytes with Brotli`)
  expect(total).toBeLessThanOrEqual(maxScriptBytes)
})

test('the scripts of the first screen are small', async ({ page, muster }) => {
  const network = await recordNetwork(page, muster.origin)
  await openConsole(page, muster, screenPaths.today)
  await waitForScreen(page)
  const scripts = network.takeTransfers().filter(({ type }) => type === 'Script')
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`${scripts.length} scripts, ${total} bytes received`)
  expect(total).toBeLessThanOrEqual(maxFirstScriptBytes)
})
