import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeImage } from './base-images.ts'
import { podman, runWithPodman } from './podman.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
export const revision = 'a'.repeat(40)
export const image = `localhost/muster:${version}`

/**
 * podman ignores HEALTHCHECK in images of the OCI format. Without layers it does not store the development packages. npm
 * reads the packages that the machine has downloaded already; what it writes is discarded.
 */
const buildOptions = ['--format=docker', '--layers=false', `--volume=${process.env.npm_config_cache}:/root/.npm:O`]

export const buildImage = async (): Promise<void> => {
  // The image of the last run would stay without a name.
  await podman('rmi', '--force', '--ignore', image)
  await runWithPodman('podman-compose', [
    ...['--file', join(root, 'deploy', 'compose.yaml')],
    ...buildOptions.map((option) => `--podman-build-args=${option}`),
    ...['build', 'muster'],
    ...[`NODE_IMAGE=${nodeImage}`, `VERSION=${version}`, `REVISION=${revision}`].flatMap((arg) => ['--build-arg', arg]),
  ])
}
