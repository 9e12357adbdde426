/** Runs the code blocks of one document, as a reader would: in order, in one folder, against one service. */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestDatabase } from '../support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from '../support/database.ts'
import type { Block } from '../support/markdown.ts'
import { root } from '../support/markdown.ts'
import type { RunningService } from '../support/service.ts'
import { startService, token } from '../support/service.ts'

export interface SessionOptions {
  /** Without a company, the tables are empty. */
  readonly company?: boolean
  /** Files that the document expects in the folder: name in the folder, and path in the repository. */
  readonly files?: Readonly<Record<string, string>>
}

export interface Session {
  /** Runs a block and returns what it prints. Rejects if it fails. */
  run(block: Block): Promise<string>
  /** Files in the folder that blocks have written. */
  writtenFiles(): Promise<readonly string[]>
  close(): Promise<void>
}

const execute = promisify(execFile)

/** A block that takes longer is a hanging one. */
const timeoutMs = 60_000

/** The origin that documents use for a service on the reader's machine. */
const documentedOrigin = 'http://127.0.0.1:8080'

/** Commands of documents name these, relative to the root of a clone. */
const linkedNames = ['node_modules', 'packages', 'tools', 'docs']

/** What is exported stays so for the next block. `npx` itself takes half a second to find a program in node_modules. */
const prelude = `set -uo pipefail
npx() { local name=$1; shift; "./node_modules/.bin/$name" "$@"; }
if [ -e .state ]; then . ./.state; fi
`

export const openSession = async ({ company = true, files = {} }: SessionOptions = {}): Promise<Session> => {
  const database = await (company ? createSeededDatabase() : createTestDatabase())
  const service = await startService(database.url)
  const folder = await mkdtemp(join(tmpdir(), 'muster-document-'))
  for (const name of linkedNames) await symlink(join(root, name), join(folder, name))
  for (const [name, path] of Object.entries(files)) await copyFile(join(root, path), join(folder, name))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const ownNames = new Set(await readdir(folder))
  const env = environment(database, service)
  const setups = new Map<string, string>()
  const origin = new URL(service.baseUrl).origin
  const runFile = async (program: string, args: readonly string[]): Promise<string> =>
    (await execute(program, args, { cwd: folder, env, timeout: timeoutMs, maxBuffer: 64_000_000 })).stdout
  const runShell = (code: string) =>
    runFile('bash', ['-c', `${prelude}${code}status=$?; export -p > .state; exit $status\n`])
  const runProgram = async (program: string, extension: string, { language, line, code }: Block): Promise<string> => {
    const name = `block-${line}.${extension}`
    await writeFile(join(folder, name), `${setups.get(language) ?? ''}${code}`)
    return runFile(program, [name])
  }
  return {
    async run(documentedBlock) {
      const block = { ...documentedBlock, code: documentedBlock.code.replaceAll(documentedOrigin, origin) }
      const { language, marks, code } = block
      if (marks.includes('setup')) {
        setups.set(language, `${setups.get(language) ?? ''}${code}`)
        return ''
      }
      switch (language) {
        case 'sh':
          return runShell(`set -e\n${code}`)
        case 'console':
          return runShell(code)
        case 'ts':
          return runProgram(process.execPath, 'ts', block)
        case 'python':
          return runProgram('python3', 'py', block)
        case 'sql':
          return runQuery(database.analystUrl, code)
        default:
          throw new Error(`Blocks in ${language} cannot be run.`)
      }
    },
    async writtenFiles() {
      const names = await readdir(folder)
      return names.filter((name) => !ownNames.has(name) && !/^(?:\.state|block-\d+\..*)$/.test(name))
    },
    async close() {
      await service.stop()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

const environment = (database: TestDatabase, service: RunningService): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  ...database.env,
  DATABASE_ANALYST_URL: database.analystUrl,
  MUSTER_URL: service.baseUrl,
  MUSTER_API_TOKEN: token,
})

/** Runs a query as the role for BI tools, and returns its result as text. */
const runQuery = (url: string, sql: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    if (rows.length === 0) throw new Error('The query returns no row.')
    return rows.map((row) => `${row.join(' | ')}\n`).join('')
  })
