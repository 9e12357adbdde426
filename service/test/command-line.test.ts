/** The command line speaks plainly: help for everything, and one sentence with the cure for each mistake an operator can make. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
import { createEmptyDatabase, createTestDatabase, withClient } from './support/database.ts'
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
    await writeFile(join(folder, 'trust.conf'), 'host all all 127.0.0.1/32 trust\n')
    // The server of the tests runs as another user where these run as root.
    await chmod(folder, 0o755)
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

  /** What migrate, seed and import say first. */
  const targetOf = ({ url }: TestDatabase): string => {
    const { host, pathname, username } = new URL(url)
    return `Database "${pathname.slice(1)}" at ${host}, as "${username}"`
  }

  const address = (changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(guarded.url), changes).href

  it('1: the database is down', async () => {
    assert.deepEqual(await mistake(['migrate'], { DATABASE_URL: nobody }), [
      1,
      'Database "none" at 127.0.0.1:1, as "postgres"\nNo PostgreSQL listens at 127.0.0.1:1: start it, or correct the database address.\n',
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
      `Database "mustre" at 127.0.0.1:${guarded.port}, as "postgres"\nPostgreSQL at 127.0.0.1:${guarded.port} has no database "mustre": create it with encoding UTF8, for example with createdb.\n`,
    ])
  })

  it('4: the migrations have not been run', async () => {
    const sentence = 'The database does not have the tables of this release: run npx muster migrate first.\n'
    const imported = await mistake(['import', 'employees', join(folder, 'people.csv')], { DATABASE_URL: empty.url })
    assert.deepEqual(imported, [1, `${targetOf(empty)}\n${sentence}`])
    assert.deepEqual(await mistake(['export', 'employees'], { DATABASE_URL: empty.url }), [1, sentence])
  })

  it('5: the database is newer than the release', async () => {
    assert.deepEqual(await mistake(['migrate'], { DATABASE_URL: newer.url }), [
      1,
      `${targetOf(newer)}\nThe database is newer than this release: it has 9999-later.sql, so run the release that brought it.\n`,
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
      '10, where it is a setting',
      ['serve', '--port', '9000'],
      'There is no option --port: it is a setting, so set PORT in the environment.',
      'muster serve --help',
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
      [
        1,
        `${targetOf(current)}\nThe first line names a column "statsu", which employees do not have; did you mean status?\n`,
      ],
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
      `The folder ${join(folder, 'people.txt')} cannot be created (EEXIST): name another place.\n`,
    ])
  })

  it('24: no database address is set', async () => {
    for (const args of [['serve'], ['migrate'], ['seed'], ['export', 'jobs']])
      assert.deepEqual(await mistake(args, {}), [
        1,
        'DATABASE_URL is not set: give it the address of a PostgreSQL database, such as postgres://user@127.0.0.1:5432/muster.\n',
      ])
  })

  it('25: the URL names no database, so the driver would use the user name', async () => {
    for (const url of ['postgres://postgres@127.0.0.1:1', 'postgres://postgres@127.0.0.1:1/?sslmode=disable'])
      for (const args of [['migrate'], ['seed'], ['import', 'jobs', join(folder, 'people.csv')], ['serve']])
        assert.deepEqual(await mistake(args, { DATABASE_URL: url }), [
          1,
          'DATABASE_URL names no database: add its name at the end, such as postgres://user@127.0.0.1:5432/muster.\n',
        ])
  })

  it('26: the password has a character with a special meaning in URLs', async () => {
    for (const password of [
      '12/secret',
      'x/secret',
      '12#secret',
      'x#secret',
      'x?secret',
      '12?secret',
      'x%secret',
      'a@b/secret',
    ])
      assert.deepEqual(
        await mistake(['migrate'], { DATABASE_URL: `postgres://postgres:${password}@127.0.0.1:1/muster` }),
        [
          1,
          'DATABASE_URL has a character in its password (or user name) that must be percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.\n',
        ],
        password,
      )
  })

  it('26, not refused: a special character that does no harm, and any after the host', async () => {
    const login = 'odd_login'
    await withClient(guarded.url, (client) => client.query(`create role ${login} login password 'a@b:c%/'`))
    for (const password of ['a@b:c%25%2F', 'a%40b%3Ac%25%2F'])
      assert.deepEqual(
        await mistake(['export', 'jobs'], {
          DATABASE_URL: `postgres://${login}:${password}@127.0.0.1:${guarded.port}/postgres?application_name=a@b`,
        }),
        [1, 'The database does not have the tables of this release: run npx muster migrate first.\n'],
      )
  })

  it('27: the address names no user', async () => {
    const DATABASE_URL = `postgres://127.0.0.1:${guarded.port}/postgres`
    assert.deepEqual(await mistake(['export', 'jobs'], { DATABASE_URL }), [
      1,
      `The database address names no user, and neither PGUSER nor USER is set: write it as postgres://user@127.0.0.1:${guarded.port}/postgres.\n`,
    ])
    assert.deepEqual(await mistake(['export', 'jobs'], { DATABASE_URL, USER: 'somebody', PGPASSWORD: 'x' }), [
      1,
      `PostgreSQL at 127.0.0.1:${guarded.port} refuses the password of "somebody": correct the database address.\n`,
    ])
  })

  it('27, on a server that asks for no password: the user that was tried is named', async () => {
    const trusting = await startEmbeddedPostgres({ settings: [`hba_file=${join(folder, 'trust.conf')}`] })
    try {
      assert.deepEqual(
        await mistake(['migrate'], {
          DATABASE_URL: `postgres://127.0.0.1:${trusting.port}/postgres`,
          USER: 'somebody',
        }),
        [
          1,
          `Database "postgres" at 127.0.0.1:${trusting.port}, as "somebody"\nPostgreSQL at 127.0.0.1:${trusting.port} does not let "somebody" (the user of this session, since the database address names none) in (role "somebody" does not exist): create the role, allow it in pg_hba.conf, or name another user in the address.\n`,
        ],
      )
    } finally {
      await trusting.stop()
    }
  })

  it('28: a secret file cannot be read, or is empty', async () => {
    const file = join(folder, 'secret')
    const env = { DATABASE_URL: current.url, PORT: '0' }
    assert.deepEqual(await mistake(['serve'], { ...env, MUSTER_API_TOKEN_FILE: file }), [
      1,
      `MUSTER_API_TOKEN_FILE names ${file}, which cannot be read: there is no such file.\n`,
    ])
    assert.deepEqual(await mistake(['serve'], { ...env, MUSTER_READ_TOKEN_FILE: folder }), [
      1,
      `MUSTER_READ_TOKEN_FILE names ${folder}, which cannot be read: it is a directory.\n`,
    ])
    await writeFile(file, '\n')
    assert.deepEqual(await mistake(['migrate'], { DATABASE_URL_FILE: file }), [
      1,
      `DATABASE_URL_FILE names ${file}, which is empty: write the address into it.\n`,
    ])
  })

  it('28, while serving: an empty token file is a warning, at the start and when it is read again', async () => {
    const file = join(folder, 'token')
    await writeFile(file, '')
    const service = runCommand('muster.ts', ['serve'], {
      DATABASE_URL: current.url,
      PORT: '0',
      MUSTER_API_TOKEN_FILE: file,
    })
    const warning = `MUSTER_API_TOKEN_FILE names ${file}, which is empty, so creates are disabled: write a token into it, or unset MUSTER_API_TOKEN_FILE.`
    await service.says(/Server listening/)
    assert.equal(service.said.split(warning).length, 2, service.said)
    service.signal('SIGHUP')
    await service.says(new RegExp(`${warning}[^]*${warning}`))
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  it('29: an export would overwrite files', async () => {
    const env = { DATABASE_URL: current.url }
    const backup = join(folder, 'backup')
    assert.equal((await mistake(['export', '--all', backup], env))[0], 0)
    await rm(join(backup, 'leave.csv'))
    await writeFile(join(backup, 'jobs.csv'), 'mine')
    const [code, said] = await mistake(['export', '--all', backup], env)
    assert.equal(code, 1)
    assert.match(
      said,
      /^\S+ holds employees\.csv, departments\.csv, attendance\.csv, .+, job-distributions\.csv already: add --force to overwrite, or name another folder\.\n$/,
    )
    assert.doesNotMatch(said, /leave/)
    const file = join(backup, 'jobs.csv')
    assert.deepEqual(await mistake(['export', 'jobs', '-o', file], env), [
      1,
      `${file} exists: add --force to overwrite it, or name another file.\n`,
    ])
    assert.equal(await readFile(file, 'utf8'), 'mine')
    assert.equal((await mistake(['export', '--all', backup, '--force'], env))[0], 0)
    assert.match(await readFile(file, 'utf8'), /^id,code,title,/)
  })

  // On a system without /proc the folder cannot be created either.
  it('30: a folder cannot be created where it should be', async () => {
    const env = { DATABASE_URL: current.url, PORT: '0' }
    for (const args of [
      ['export', '--all', '/proc/none/backup'],
      ['demo', '--data', '/proc/none/backup'],
    ]) {
      const command = runCommand('muster.ts', args, env)
      const deadline = setTimeout(() => command.signal('SIGKILL'), 30_000)
      assert.equal(await command.ended, 1, command.said)
      clearTimeout(deadline)
      assert.match(
        command.said,
        /The folder \/proc\/none\/backup cannot be created \([A-Z]+\): name another place\.\n$/,
      )
    }
  })

  it('31: a file is not UTF-8', async () => {
    const file = join(folder, 'departments.csv')
    await writeFile(file, Buffer.from('name\nVertrieb\nBüro\n', 'latin1'))
    for (const args of [[], ['--skip-bad']])
      assert.deepEqual(await mistake(['import', 'departments', file, ...args], { DATABASE_URL: current.url }), [
        1,
        `${targetOf(current)}\ndepartments.csv is not UTF-8: line 3 has the byte 0xFC at position 2. Convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8 departments.csv > utf8-departments.csv\n`,
      ])
  })
})
