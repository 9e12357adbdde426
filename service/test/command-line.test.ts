/** The command line speaks plainly: help for everything, and one sentence with the cure for each mistake an operator can make. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { commandHelp, programHelp } from '../src/commands/help.ts'
import { commands } from '../src/commands/program.ts'
import type { TestDatabase } from './support/database.ts'
import { createEmptyDatabase, createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import { muster } from './support/muster.ts'
import { runCommand } from './support/process.ts'

const nobody = 'postgres://postgres@127.0.0.1:1/none'

describe('the help', () => {
  it('of the program names every command, and stands on standard output with 0', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const said = await muster(args, {})
      assert.deepEqual([said.code, said.err], [0, ''])
      for (const name of ['serve', 'roles', 'migrate', 'seed', 'import', 'export', 'erase', 'demo', 'doctor'])
        assert.match(said.out, new RegExp(`^  ${name} +\\S`, 'm'))
      assert.match(said.out, /Exit codes: 0 /)
    }
  })

  it('is shown, as a mistake, where no command is given', async () => {
    const said = await muster([], {})
    assert.deepEqual([said.code, said.out, said.err], [2, '', (await muster(['--help'], {})).out])
  })

  for (const command of commands) {
    it(`of ${command.name} names its arguments and options with examples, whatever else is written`, async () => {
      const { code, out, err } = await muster([command.name, '--nonsense', '--help'], {})
      assert.deepEqual([code, err], [0, ''])
      assert.match(out, new RegExp(`^Usage: muster ${command.name}`, 'm'))
      for (const name of Object.keys(command.options)) assert.match(out, new RegExp(`--${name}\\b`))
      assert.match(out, new RegExp(`Examples:\\n +muster ${command.name}`))
      assert.equal((await muster(['help', command.name], {})).out, out)
      for (const line of out.split('\n')) assert.ok(line.length <= 100, line)
    })
  }

  it('is what the document shows', async () => {
    const document = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
    for (const text of [programHelp(commands), ...commands.map(commandHelp)])
      assert.ok(document.includes(`\`\`\`\n${text}\n\`\`\``), `docs/command-line.md does not show:\n${text}`)
  })

  it('has the version beside it', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.deepEqual(await muster(['--version'], {}), { code: 0, out: `${version}\n`, err: '' })
  })
})

describe('a mistake of the operator', () => {
  let guarded: EmbeddedPostgres
  let empty: TestDatabase
  let newer: TestDatabase
  let current: TestDatabase
  let folder: string
  before(async () => {
    guarded = await startEmbeddedPostgres()
    empty = await createEmptyDatabase()
    newer = await createTestDatabase()
    await newer.execute(`insert into muster_migrations (name, sha256) values ('9999-later.sql', 'x')`)
    current = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-mistakes-'))
    await writeFile(join(folder, 'people.csv'), 'id,statsu\n')
    await writeFile(join(folder, 'people.txt'), '')
  })
  after(async () => {
    await guarded.stop()
    await Promise.all([empty, newer, current].map((database) => database.drop()))
    await rm(folder, { recursive: true })
  })

  /** A real process: everything it says, and its exit code. */
  const mistake = async (args: string[], env: Record<string, string>): Promise<[code: number | null, said: string]> => {
    const command = runCommand('muster.ts', args, env)
    const code = await command.ended
    return [code, command.said]
  }

  const address = (changes: Partial<Pick<URL, 'password' | 'pathname'>>): string =>
    Object.assign(new URL(guarded.url), changes).href

  it('1: the database is down', async () => {
    assert.deepEqual(await mistake(['migrate'], { DATABASE_URL: nobody }), [
      1,
      'No PostgreSQL listens at 127.0.0.1:1: start it, or correct the database address.\n',
    ])
  })

  it('2: the password is wrong', async () => {
    assert.deepEqual(await mistake(['export', 'jobs'], { DATABASE_URL: address({ password: 'guess' }) }), [
      1,
      `PostgreSQL at 127.0.0.1:${guarded.port} refuses the password of "postgres": correct the database address.\n`,
    ])
  })

  it('2, while serving: the process stays up and is not ready', async () => {
    const service = runCommand('muster.ts', ['serve'], { DATABASE_URL: address({ password: 'guess' }), PORT: '0' })
    await service.says(/refuses the password of \\"postgres\\": correct the database address\./)
    const [, host] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
    assert.deepEqual([(await ask(`${host}/livez`)).status, (await ask(`${host}/readyz`)).status], [200, 503])
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  it('3: the database does not exist', async () => {
    assert.deepEqual(await mistake(['seed'], { DATABASE_URL: address({ pathname: '/mustre' }) }), [
      1,
      `PostgreSQL at 127.0.0.1:${guarded.port} has no database "mustre": create it with encoding UTF8, for example with createdb.\n`,
    ])
  })

  it('4: the migrations have not been run', async () => {
    const sentence = 'The database does not have the tables of this release: run npx muster migrate first.\n'
    for (const args of [
      ['import', 'employees', join(folder, 'people.csv')],
      ['export', 'employees'],
    ])
      assert.deepEqual(await mistake(args, { DATABASE_URL: empty.url }), [1, sentence])
  })

  it('5: the database is newer than the release', async () => {
    assert.deepEqual(await mistake(['migrate'], { DATABASE_URL: newer.url }), [
      1,
      'The database is newer than this release: it has 9999-later.sql, so run the release that brought it.\n',
    ])
  })

  it('6: the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const sentence = `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT.\n`
    for (const args of [['serve'], ['demo', '--data', join(folder, 'demo')]])
      assert.deepEqual(
        await mistake(args, { DATABASE_URL: current.url, PORT: String(port), MUSTER_LOG_LEVEL: 'silent' }),
        [1, sentence],
      )
    other.close()
  })

  it('7: a token is given twice', async () => {
    const env = { DATABASE_URL: current.url, MUSTER_API_TOKEN: 'a', MUSTER_API_TOKEN_FILE: '/dev/null' }
    for (const args of [['serve'], ['demo', '--data', join(folder, 'demo')]])
      assert.deepEqual(await mistake(args, { ...env, PORT: '0' }), [
        1,
        'Both MUSTER_API_TOKEN and MUSTER_API_TOKEN_FILE are set: keep one of them.\n',
      ])
  })

  it('8: a setting is misspelt, which is a warning', async () => {
    const service = runCommand('muster.ts', ['serve'], {
      DATABASE_URL: current.url,
      PORT: '0',
      MUSTER_LOGLEVEL: 'info',
    })
    await service.says(/"The setting MUSTER_LOGLEVEL is not known; did you mean MUSTER_LOG_LEVEL\?"/)
    await service.says(/Server listening/)
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  const wrongWords: [rule: string, args: string[], sentence: string, help: string][] = [
    ['9: a command is misspelt', ['doctr'], 'There is no command "doctr"; did you mean doctor?', 'muster --help'],
    [
      '10: an option is misspelt',
      ['import', 'jobs', 'x.csv', '--skip-bda'],
      'There is no option --skip-bda; did you mean --skip-bad?',
      'muster import --help',
    ],
    [
      '11: an option stands before the command',
      ['--size', 'large'],
      'There is no option --size: name a command first (serve, roles, migrate, seed, import, export, erase, demo, doctor).',
      'muster --help',
    ],
    [
      '12: an option lacks its value',
      ['export', 'jobs', '-o'],
      'The option -o needs a value: -o FILE.',
      'muster export --help',
    ],
    [
      '13: an option takes no value',
      ['import', 'jobs', '--dry-run=yes'],
      'The option --dry-run takes no value.',
      'muster import --help',
    ],
    [
      '14: a value is not among those there are',
      ['seed', '--size', 'tiny'],
      '--size should be one of small, medium, large, huge, and is "tiny".',
      'muster seed --help',
    ],
    [
      '15: a number is none',
      ['seed', '--employees', 'many'],
      '--employees should be a whole number, and is "many".',
      'muster seed --help',
    ],
    [
      '16: there is an argument too many',
      ['serve', 'now'],
      'muster serve takes no argument, and "now" is one too many.',
      'muster serve --help',
    ],
    [
      '17: a resource is misspelt',
      ['import', 'employes', 'x.csv'],
      'There is no resource "employes"; did you mean employees?',
      'muster import --help',
    ],
    [
      '18: no resource is named',
      ['export'],
      'Say which resource: employees, departments, leave, attendance, jobs, candidates, applications, organizations, brands, career-sites, organization-teams, job-distributions.',
      'muster export --help',
    ],
    [
      '19: a file does not tell its format',
      ['import', 'employees', 'people.txt'],
      'The name of people.txt does not tell its format: add --format csv or --format ndjson.',
      'muster import --help',
    ],
    [
      '20: standard input does not tell its format',
      ['import', 'employees'],
      'Standard input has no name that tells its format: add --format csv or --format ndjson.',
      'muster import --help',
    ],
    [
      '21: everything is wanted, and one thing',
      ['export', 'jobs', '--all', 'x'],
      '--all exports everything: leave "jobs" out.',
      'muster export --help',
    ],
  ]
  for (const [rule, args, sentence, help] of wrongWords) {
    it(rule, async () => {
      assert.deepEqual(await mistake(args, { DATABASE_URL: current.url }), [2, `${sentence}\nSee: ${help}\n`])
    })
  }

  it('22: a column is misspelt', async () => {
    assert.deepEqual(
      await mistake(['import', 'employees', join(folder, 'people.csv')], { DATABASE_URL: current.url }),
      [1, 'The first line names a column "statsu", which employees do not have; did you mean status?\n'],
    )
  })

  it('23: a file or a folder is not there, or is the other of the two', async () => {
    const env = { DATABASE_URL: current.url }
    assert.deepEqual(await mistake(['import', 'jobs', '/nowhere/jobs.csv'], env), [
      1,
      'There is no file /nowhere/jobs.csv.\n',
    ])
    assert.deepEqual(await mistake(['import', 'jobs', folder, '--format', 'csv'], env), [
      1,
      `${folder} is a folder: import it with --all ${folder}.\n`,
    ])
    assert.deepEqual(await mistake(['import', '--all', '/nowhere'], env), [1, 'There is no folder /nowhere.\n'])
    assert.deepEqual(await mistake(['import', '--all', join(folder, 'people.txt')], env), [
      1,
      `There is no folder ${join(folder, 'people.txt')}.\n`,
    ])
    assert.deepEqual(await mistake(['export', 'jobs', '-o', '/nowhere/jobs.csv'], env), [
      1,
      '/nowhere/jobs.csv cannot be written (ENOENT): name another place.\n',
    ])
    assert.deepEqual(await mistake(['export', '--all', join(folder, 'people.txt')], env), [
      1,
      `The folder ${join(folder, 'people.txt')} cannot be made: name another place.\n`,
    ])
  })

  it('24: no database address is set', async () => {
    for (const args of [['serve'], ['migrate'], ['seed'], ['export', 'jobs']])
      assert.deepEqual(await mistake(args, {}), [
        1,
        'DATABASE_URL is not set: give it the address of a PostgreSQL database, such as postgres://user@127.0.0.1:5432/muster.\n',
      ])
  })
})
