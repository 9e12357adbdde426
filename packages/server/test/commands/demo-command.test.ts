import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { resources } from '@muster/model'
import { createSeededDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { runProgram } from '../../src/commands/program.ts'

/** The first start has a fixed date, so that the tests always see the same company. */
const firstAsOf = '2024-02-29'

describe('the demo', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-demo-'))
    // If the tests run as root, the PostgreSQL server runs as another user, which must be able to read this folder.
    await chmod(folder, 0o755)
  })
  const commands: Command[] = []
  after(async () => {
    for (const command of commands) command.signal('SIGINT')
    await Promise.all(commands.map(({ exitPromise: ended }) => ended))
    await rm(folder, { recursive: true })
  })

  const startDemo = (env: Record<string, string> = {}, ...args: string[]): Command => {
    const command = runCommand('muster.ts', ['demo', '--data', folder, ...args], { PORT: '0', ...env })
    commands.push(command)
    return command
  }

  const waitUntilRunning = async (command: Command): Promise<{ api: string; token: string; curls: string[] }> => {
    await command.waitForOutput(/Ctrl-C stops .+\n/)
    const [, api = ''] = await command.waitForOutput(/API +(\S+)/)
    const [, token = ''] = await command.waitForOutput(/Token +(\S+)/)
    return { api, token, curls: [...command.output.matchAll(/^ {2}(curl .+)$/gm)].map(([, line = '']) => line) }
  }

  const runInShell = async (line: string) => JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout)

  /** The port of the demo's PostgreSQL server, from its lock file, which exists while the server runs. */
  const postgresPort = async (dataFolder = folder): Promise<number> => {
    const lockFileText = await readFile(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
    return Number(lockFileText.split('\n')[3])
  }

  /** The options of the company in the database of a running demo, and the day of the query. */
  const readCompany = async (dataFolder = folder): Promise<{ as_of: string; size: string; today: string }> => {
    const password = (await readFile(join(dataFolder, 'postgres', 'password'), 'utf8')).trim()
    const url = `postgres://postgres:${password}@127.0.0.1:${await postgresPort(dataFolder)}/muster`
    return withClient(url, async (client) => {
      const { rows } = await client.query(
        `select as_of::text, size, (now() at time zone 'utc')::date::text as today from muster_seed`,
      )
      return rows[0]
    })
  }

  const acceptsConnections = async (port: number): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return true
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }

  const stopDemo = async (command: Command, api: string): Promise<void> => {
    const databasePort = await postgresPort()
    assert.ok(await acceptsConnections(databasePort))
    command.signal('SIGINT')
    assert.equal(await command.exitPromise, 0)
    assert.match(command.output, /\nStopped\.\n$/)
    assert.equal(await acceptsConnections(databasePort), false)
    await assert.rejects(postgresPort(), { code: 'ENOENT' })
    await assert.rejects(sendRequest(api))
  }

  /** Runs the demo inside the test process until it is running, and stops it. Returns what it printed. */
  const runInProcess = async (
    args: readonly string[],
    env: Record<string, string> = {},
    whileRunning: (output: string) => Promise<void> = async () => {},
  ): Promise<string> => {
    let output = ''
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        output += chunk
        done()
      },
    })
    const ended = runProgram(
      ['demo', '--data', folder, ...args],
      { PORT: '0', ...env },
      {
        stdin: Readable.from([]),
        stdout,
        stderr: stdout,
      },
    )
    await Promise.race([ended, waitUntil('the demo runs', async () => /Ctrl-C stops .+\n/.test(output), 60_000)])
    await whileRunning(output)
    // A terminal that is closed sends this signal. Nothing else in this process listens to it.
    process.emit('SIGHUP')
    assert.equal(await ended, 0, output)
    return output
  }

  let token = ''
  let createdLeave = ''

  it('starts on a machine that has only Node, and the printed curl commands work when pasted', async () => {
    const otherDatabase = await createTestDatabase()
    const command = startDemo({ ...otherDatabase.env, DATABASE_POOLER: 'transaction' }, '--as-of', firstAsOf)
    const { api, curls, ...printed } = await waitUntilRunning(command)
    token = printed.token
    assert.equal(curls.length, 3)
    const [list, search, create] = curls as [string, string, string]
    assert.equal((await runInShell(list)).data.length, 3)
    const searchResult = await runInShell(search)
    assert.ok(searchResult.meta.total > 0 && /engineer/i.test(JSON.stringify(searchResult.data[0])))
    const leave = await runInShell(create)
    assert.equal(leave.status, 'pending')
    assert.ok(Date.parse(leave.from_date) > Date.now())
    assert.deepEqual([new Date(leave.from_date).getUTCDay(), new Date(leave.to_date).getUTCDay()], [1, 5])
    createdLeave = leave.from_date
    assert.equal((await sendRequest(`${api}/v1/health`)).json.status, 'ok')
    assert.equal((await sendRequest(`${api}/docs`)).status, 200)
    const origin = api.replace(/\/api$/, '')
    assert.ok(command.output.includes(`\nMuster is running.\n\n  Console  ${origin}/console/\n  API      ${api}\n`))
    const [, careerSite = ''] = /^ {2}Careers {2}(\S+)$/m.exec(command.output) ?? []
    assert.match((await sendRequest(careerSite)).text, /<ul class="list"><li>/)
    // DATABASE_URL is ignored, which the demo prints.
    assert.match(
      command.output,
      /^DATABASE_URL is set but ignored: to use that database, add --database-url "\$DATABASE_URL"\n/,
    )
    assert.equal((await sendRequest(`${api}/v1/employees`)).json.meta.total, 250)
    await otherDatabase.execute('select 1 / (1 - count(*)) from (select from employees limit 1) as any_row')
    await otherDatabase.drop()
  })

  it('fails with one sentence while another demo runs on the same data', async () => {
    const secondDemo = startDemo()
    assert.equal(await secondDemo.exitPromise, 1)
    assert.match(
      secondDemo.output,
      /A demo is already running in .+: stop it first, or choose another folder with --data\.\n$/,
    )
    assert.ok(await acceptsConnections(await postgresPort()))
  })

  it('stops the PostgreSQL server that a killed demo left behind, and keeps its data and its token', async () => {
    const [killedDemo] = commands as [Command]
    const orphanPort = await postgresPort()
    killedDemo.signal('SIGKILL')
    await killedDemo.exitPromise
    assert.ok(await acceptsConnections(orphanPort))
    const command = startDemo()
    const { api, curls, ...printed } = await waitUntilRunning(command)
    assert.equal(await acceptsConnections(orphanPort), false)
    assert.equal(printed.token, token)
    assert.doesNotMatch(command.output, /Applied|Creating/)
    const leaveResponse = await sendRequest(`${api}/v1/leave?employee_id=1&limit=200`)
    assert.ok(leaveResponse.json.data.some((record: { from_date: string }) => record.from_date === createdLeave))
    assert.match(
      command.output,
      /\nThe current date of this company is 2024-02-29, \d{3,} days ago: add --fresh to this command to replace it with a new one\.\n/,
    )
    assert.ok((await runInShell(curls[2] ?? '')).id > 1)
    await stopDemo(command, api)
  })

  it('does not start with options that the stored company was not created with', async () => {
    const { code, err } = await muster(['demo', '--data', folder, '--size', 'medium'], { PORT: '0' })
    assert.deepEqual(
      [code, err],
      [
        1,
        'There is another invented company already (size small, seed muster, as of 2024-02-29): add --fresh to this command to replace it with a new one.\n',
      ],
    )
    const database = await createSeededDatabase()
    for (const options of [['--as-of', '2024-03-01'], ['--with-faults']]) {
      const result = await muster(['demo', '--data', folder, '--database-url', database.url, ...options], { PORT: '0' })
      assert.equal(result.code, 1)
      assert.match(
        result.err,
        /^There is another invented company already .+: use an empty database for a new one\.\n$/,
      )
    }
    await database.drop()
  })

  it('creates a new company as of today with --fresh, and keeps the token', async () => {
    let databasePort = 0
    const output = await runInProcess(['--fresh', '--with-faults'], {}, async (greeting) => {
      const [, api] = /API +(\S+)/.exec(greeting) ?? []
      assert.equal(/Token +(\S+)/.exec(greeting)?.[1], token)
      const company = await readCompany()
      assert.deepEqual(company, { as_of: company.today, size: 'small with faults', today: company.today })
      const leaveResponse = await sendRequest(`${api}/v1/leave?employee_id=1&limit=200`)
      assert.ok(!leaveResponse.json.data.some((record: { from_date: string }) => record.from_date === createdLeave))
      databasePort = await postgresPort()
      assert.ok(await acceptsConnections(databasePort))
    })
    assert.doesNotMatch(output, /days ago/)
    assert.match(output, /\nStopped\.\n$/)
    assert.equal(await acceptsConnections(databasePort), false)
  })

  it('prints the age of a company that is more than seven days old', async () => {
    const database = await createSeededDatabase()
    const ages = [
      [
        8,
        [],
        /\nThe current date of this company is [-0-9]{10}, [89] days ago: use an empty database for a new one\.\n/,
      ],
      [6, ['--size', 'small'], /^((?!days ago)[\s\S])*$/],
    ] as const
    for (const [days, options, pattern] of ages) {
      await database.execute(`update muster_seed set as_of = (now() at time zone 'utc')::date - ${days}`)
      assert.match(await runInProcess(['--database-url', database.url, ...options]), pattern)
    }
    await database.drop()
  })

  it('never removes the data of --database-url', async () => {
    const { code, err } = await muster(['demo', '--database-url', 'postgres://127.0.0.1:1/x', '--fresh'], {})
    assert.equal(code, 2)
    assert.match(err, /^--fresh removes only data in a folder: use an empty database instead\.\n/)
  })

  it('stops all its processes when the process group receives SIGINT, even during the start, and --fresh removes only its own data', async () => {
    const otherFolder = join(folder, 'interrupted')
    const ownFile = join(otherFolder, 'postgres', 'note.txt')
    await mkdir(join(otherFolder, 'postgres'), { recursive: true })
    await chmod(otherFolder, 0o755)
    await writeFile(ownFile, 'mine')
    const file = fileURLToPath(new URL('../../bin/muster.ts', import.meta.url))
    const args = [file, 'demo', '--data', otherFolder, '--fresh', '--size', 'medium']
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: '0' }
    const child = spawn(process.execPath, args, { detached: true, env })
    const childExit = once(child, 'close')
    for await (const chunk of child.stdout.setEncoding('utf8')) if (String(chunk).includes('departments')) break
    const databasePort = await postgresPort(otherFolder)
    process.kill(-(child.pid as number), 'SIGINT')
    assert.deepEqual(await childExit, [130, null])
    assert.equal(await acceptsConnections(databasePort), false)
    assert.equal(await readFile(ownFile, 'utf8'), 'mine')
  })

  it('serves the database given by --database-url, and leaves its data in place at the end', async () => {
    const database = await createTestDatabase()
    const env = { MUSTER_API_TOKEN: 'a-token-of-my-own-with-more-than-32-characters', MUSTER_CONSOLE: 'off' }
    await runInProcess(['--database-url', database.url], env, async (output) => {
      const [, api] = /API +(\S+)/.exec(output) ?? []
      assert.ok(output.includes(`\nMuster is running.\n\n  API      ${api}\n`))
      assert.match(output, /^ {2}Token +a-token-of-my-own-with-more-than-32-characters$/m)
      assert.equal((await runInShell(/^ {2}(curl -s -X POST .+)$/m.exec(output)?.[1] ?? '')).status, 'pending')
      assert.equal((await sendRequest(`${api}/v1/employees`)).json.meta.total, 250)
    })
    await database.execute('select 1 / count(*) from employees')
    await database.drop()
  })

  describe('with reads that are not public', () => {
    const ownToken = 'a-token-of-my-own-with-more-than-32-characters'
    /** What the two printed reads return without and with the token. */
    const readWith = async (env: Record<string, string>) => {
      const database = await createSeededDatabase()
      const results: { name: unknown; status: number }[] = []
      const reads: Awaited<ReturnType<typeof runInShell>>['data'][] = []
      const output = await runInProcess(['--database-url', database.url], env, async (greeting) => {
        const [, api] = /API +(\S+)/.exec(greeting) ?? []
        const [, printed] = /Token +(\S+)/.exec(greeting) ?? []
        for (const headers of [{}, { authorization: `Bearer ${printed}` }]) {
          const { status, json } = await sendRequest(`${api}/v1/employees?limit=1`, { headers })
          results.push({ status, name: json.data?.[0]?.last_name })
        }
        for (const [, curl = ''] of greeting.matchAll(/^ {2}(curl -s 'http.+)$/gm)) {
          const { data } = await runInShell(curl)
          assert.equal(data.length, 3, curl)
          reads.push(data)
        }
      })
      await database.drop()
      return { output, results, reads }
    }

    it('starts, and says what is hidden without the token, and how to read with and without it', async () => {
      const { output, results, reads } = await readWith({ MUSTER_READS: 'redacted' })
      const [without, withToken] = reads
      assert.deepEqual([without?.[0].last_name, typeof withToken?.[0].last_name], [null, 'string'])
      assert.match(output, /^In the console, the lock in the top bar takes the token\.$/m)
      const [hidden, shown] = results
      assert.deepEqual([hidden?.status, hidden?.name, shown?.status, typeof shown?.name], [200, null, 200, 'string'])
      assert.match(output, /^MUSTER_READS is redacted: without the token, these fields are null or "withheld"/m)
      for (const { path, storedFields } of resources) {
        const names = storedFields.filter(({ personal }) => personal).map(({ name }) => name)
        const line = new RegExp(`^ {2}${path} +(\\w+(?:, \\w+)*)$`, 'm').exec(output)?.[1]
        assert.equal(line, names.length === 0 ? undefined : names.join(', '), path)
      }
    })

    it('starts with the token of a file, and the printed commands contain it', async () => {
      const file = join(folder, 'own-token')
      await writeFile(file, `${ownToken}\n`)
      const { output, results } = await readWith({ MUSTER_READS: 'token', MUSTER_API_TOKEN_FILE: file })
      assert.deepEqual(
        results.map(({ status }) => status),
        [401, 200],
      )
      assert.match(output, /^MUSTER_READS is token: without the token, all reads of records are refused\.$/m)
      assert.ok(output.includes(`/v1/employees?limit=3' -H 'Authorization: Bearer ${ownToken}'\n`))
    })
  })

  it('rejects a --database-url that is not a URL', async () => {
    assert.deepEqual(await muster(['demo', '--database-url', 'localhost/muster'], {}), {
      code: 1,
      out: '',
      err: '--database-url must start with postgres:// or postgresql://.\n',
    })
  })

  it('does not seed a database that contains other data', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('Real')`)
    const { code, out, err } = await muster(['demo', '--database-url', database.url], {
      PORT: '0',
      MUSTER_API_TOKEN: 'x',
    })
    assert.equal(code, 1)
    assert.match(out, new RegExp(`^Database "${new URL(database.url).pathname.slice(1)}" at 127\\.0\\.0\\.1:`))
    assert.match(err, /has rows that the seed did not write/)
    assert.doesNotMatch(err, /\n +at /)
    await database.drop()
  })
})
