/** Brings deploy/compose.yaml up with podman-compose. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { waitForStatus200 } from '../http.ts'
import { waitUntil } from '../wait.ts'
import { withTestImages } from './base-images.ts'
import { podman, runWithPodman } from './podman.ts'

const deployFolder = join(import.meta.dirname, '..', '..', '..', 'deploy')
const project = 'muster'

export interface Compose {
  /** URL of nginx. */
  readonly url: string
  readonly apiToken: string
  /** Files of compose.yaml, which a test may change. */
  readonly folder: string
  /** Runs podman-compose. */
  run(...args: readonly string[]): Promise<string>
  /** Name of a container. */
  container(service: string, number?: number): string
  down(): Promise<void>
}

export const startCompose = async (): Promise<Compose> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-compose-'))
  cpSync(deployFolder, folder, { recursive: true, filter: (path) => path !== join(deployFolder, 'secrets') })
  const composeFile = join(folder, 'compose.yaml')
  writeFileSync(composeFile, withTestImages(readFileSync(composeFile, 'utf8')))
  const secretsFolder = join(folder, 'secrets')
  execFileSync(process.execPath, [join(deployFolder, 'make-secrets.ts'), '--folder', secretsFolder])
  const port = await freePort()
  const run = (...args: readonly string[]): Promise<string> =>
    runWithPodman('podman-compose', ['--file', composeFile, '--project-name', project, ...args], {
      PORT: String(port),
    })
  const container = (service: string, number = 1): string => `${project}_${service}_${number}`
  const up = (...services: readonly string[]): Promise<string> => run('up', '--detach', '--no-build', ...services)
  const waitUntilHealthy = (service: string): Promise<number> =>
    waitUntil(
      `${service} is healthy`,
      () =>
        podman('healthcheck', 'run', container(service)).then(
          () => true,
          () => false,
        ),
      60_000,
    )
  const removeAll = async (): Promise<void> => {
    await run('down', '--volumes')
    await podman('network', 'rm', '--force', `${project}_inside`, `${project}_outside`)
  }

  const url = `http://127.0.0.1:${port}`
  const start = async (): Promise<void> => {
    // podman-compose 1.0 ignores the subnet in compose.yaml, which MUSTER_TRUST_PROXY names.
    await podman('network', 'create', '--internal', '--subnet=172.30.0.0/24', `${project}_inside`)
    // It also ignores the conditions in depends_on.
    await up('primary', 'redis')
    await waitUntilHealthy('primary')
    await up('standby', 'migrate')
    if ((await podman('wait', container('migrate'))) !== '0')
      throw new Error(await podman('logs', container('migrate')))
    await run('run', '--rm', '--no-deps', 'migrate', 'seed')
    await waitUntilHealthy('standby')
    await up('proxy')
    await waitForStatus200(`${url}/readyz`)
  }

  // Also removes what an interrupted run left behind.
  await removeAll()
  try {
    await start()
  } catch (error) {
    await removeAll()
    throw error
  }

  return {
    url,
    folder,
    apiToken: readFileSync(join(secretsFolder, 'api_token'), 'utf8').trim(),
    run,
    container,
    async down() {
      await removeAll()
      rmSync(folder, { recursive: true })
    },
  }
}
