/** Does what a fix of `muster doctor` says, in a shell. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The programs that fixes name. `npx muster` must run the code of this repository, also if it is not installed. */
const programs: Readonly<Record<string, string>> = {
  npx: `shift; exec "${process.execPath}" "${fileAt('../../packages/server/bin/muster.ts')}" "$@"`,
  psql: `exec "${process.execPath}" "${fileAt('postgres-programs.ts')}" psql "$@"`,
  createdb: `exec "${process.execPath}" "${fileAt('postgres-programs.ts')}" createdb "$@"`,
}

/** Returns the environment after the fix, with the variables that it has set. Rejects if the fix fails. */
export const applyFix = async (fix: string, env: Record<string, string>): Promise<Record<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-fix-'))
  try {
    for (const [name, script] of Object.entries(programs))
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const resultFile = join(folder, 'environment.json')
    const printEnvironment = `"${process.execPath}" -p 'JSON.stringify(process.env)' > "${resultFile}"`
    const shellEnv = {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    }
    await promisify(execFile)('sh', ['-c', `set -e\n${fix}\n${printEnvironment}`], { env: shellEnv })
    const result: Record<string, string> = JSON.parse(await readFile(resultFile, 'utf8'))
    const changedEntries = Object.entries(result).filter(([name]) => name in env || !(name in shellEnv))
    return Object.fromEntries(changedEntries.filter(([name]) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)))
  } finally {
    await rm(folder, { recursive: true })
  }
}
