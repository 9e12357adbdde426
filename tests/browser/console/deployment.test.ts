/** The console in other deployments: turned off, under a path prefix, and with redacted reads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConsole } from '../support/console-page.ts'
import type { MusterOptions } from '../support/muster.ts'
import { startMuster } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { findPersonalValues } from './personal-values.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const withMuster = async (
  options: MusterOptions,
  use: (muster: Awaited<ReturnType<typeof startMuster>>) => Promise<void>,
): Promise<void> => {
  const muster = await startMuster(options)
  try {
    await use(muster)
  } finally {
    await muster.stop()
  }
}

test('a browser at / is redirected to the console', async ({ page, muster }) => {
  await page.goto(`${muster.origin}/`)
  await expect(page).toHaveURL(`${muster.origin}/console/today`)
  await expect(page.locator('h1')).toHaveText('Today')
})

test('with MUSTER_CONSOLE=off, a browser at / is redirected to the API documentation', async ({ page }) => {
  await withMuster({ console: 'off' }, async ({ origin }) => {
    await page.goto(`${origin}/`)
    await expect(page).toHaveURL(`${origin}/api/docs`)
    expect((await page.request.get(`${origin}/console/`)).status()).toBe(404)
  })
})

test('under a path prefix of nginx, all screens and their links work', async ({ page, muster }) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'))
  const port = await freePort()
  const configuration = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server {
        listen 127.0.0.1:${port};
        location /hr/ { proxy_pass ${muster.origin}/; proxy_http_version 1.1; proxy_set_header Host $http_host; }
      }
    }`
  await writeFile(join(folder, 'nginx.conf'), configuration)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  try {
    const origin = `http://127.0.0.1:${port}`
    await expect
      .poll(() =>
        fetch(`${origin}/hr/livez`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    const network = await recordNetwork(page, origin)
    await page.goto(`${origin}/hr/`)
    await expect(page).toHaveURL(`${origin}/hr/console/today`)
    for (const path of [screenPaths.person, screenPaths.funnel, screenPaths['data of a resource']]) {
      await openConsole(page, { origin: `${origin}/hr` }, path)
      await waitForScreen(page)
    }
    await page.getByRole('navigation', { name: 'Screens' }).first().getByRole('link', { name: 'People' }).click()
    await expect(page.locator('h1')).toHaveText('People')
    await waitForScreen(page)
    expectNoErrors(network)
    expect(network.requests.filter((request) => !request.includes(`${origin}/hr/`))).toEqual([])
  } finally {
    nginx.kill()
    await once(nginx, 'exit')
    await rm(folder, { recursive: true })
  }
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('with redacted reads, no personal value reaches the page or any response', async ({
  page,
  redactedMuster: muster,
}) => {
  const search = await findPersonalValues(page, muster, Object.values(screenPaths))
  console.log(`${search.values} personal values searched in ${search.texts} responses and pages`)
  expect(search.values).toBeGreaterThan(300)
  expect(search.found).toEqual([])
  await openConsole(page, muster, screenPaths.people)
  await waitForScreen(page)
  await expect(page.locator('main')).toContainText(/Employee \d+/)
})
