/** Runs podman with settings of its own, so that the settings of the machine have no effect. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

// runc also runs where cgroups of both versions are mounted, and these limits are allowed inside another container.
const settings = `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
[network]
network_backend = "netavark"
`

const folder = mkdtempSync(join(tmpdir(), 'muster-podman-'))
writeFileSync(join(folder, 'containers.conf'), settings)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

export const podmanEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  CONTAINERS_CONF: join(folder, 'containers.conf'),
}

/** Runs a program with the settings of podman above, and returns its output. */
export const runWithPodman = async (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  try {
    const { stdout } = await run(program, args, { env: { ...podmanEnvironment, ...env }, maxBuffer: 2 ** 26 })
    return stdout.trim()
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}: ${stdout.slice(-4_000)}${stderr.slice(-4_000)}`, { cause: error })
  }
}

export const podman = (...args: readonly string[]): Promise<string> => runWithPodman('podman', args)

export const imageExists = (name: string): Promise<boolean> =>
  podman('image', 'exists', name).then(
    () => true,
    () => false,
  )

/** Size of all layers of an image, in bytes. */
export const imageSize = async (name: string): Promise<number> =>
  Number(await podman('image', 'inspect', '--format', '{{.Size}}', name))
