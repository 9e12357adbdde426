import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { listedResources, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { commandHelp, programHelp } from '../../src/commands/help.ts'
import { commands } from '../../src/commands/program.ts'

const unreachableUrl = 'postgres://postgres@127.0.0.1:1/none'

describe('muster', () => {
  it('lists every command on standard output and exits with 0 if help is requested', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const result = await muster(args, {})
      assert.deepEqual([result.code, result.err], [0, ''])
      for (const name of [
        'serve',
        'roles',
        'migrate',
        'seed',
        'import',
        'export',
        'erase',
        'mcp',
        'webhooks',
        'demo',
        'doctor',
      ])
        assert.match(result.out, new RegExp(`^  ${name} +\\S`, 'm'))
      assert.match(result.out, /Exit codes: 0 /)
    }
  })

  it('prints the help to standard error and exits with 2 if no command is given', async () => {
    const result = await muster([], {})
    assert.deepEqual([result.code, result.out, result.err], [2, '', (await muster(['--help'], {})).out])
  })

  for (const command of commands) {
    it(`prints the arguments, options and examples of ${command.name} for --help, even if another option is unknown`, async () => {
      const { code, out, err } = await muster([command.name, '--nonsense', '--help'], {})
      assert.deepEqual([code, err], [0, ''])
      assert.match(out, new RegExp(`^Usage: muster ${command.name}`, 'm'))
      for (const name of Object.keys(command.options)) assert.match(out, new RegExp(`--${name}\\b`))
      assert.match(out, new RegExp(`Examples:\\n +muster ${command.name}`))
      assert.equal((await muster(['help', command.name], {})).out, out)
      for (const line of out.split('\n')) assert.ok(line.length <= 100, line)
    })
  }

  it('prints the same help as docs/command-line.md shows', async () => {
    const document = await readFile(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8')
    for (const text of [programHelp(commands), ...commands.map(commandHelp)])
      assert.ok(document.includes(`\`\`\`\n${text}\n\`\`\``), `docs/command-line.md does not show:\n${text}`)
  })

  it('prints the version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../../../package.json', import.meta.url), 'utf8'))
    assert.deepEqual(await muster(['--version'], {}), { code: 0, out: `${version}\n`, err: '' })
  })
})

describe('muster explains the mistake of the operator if', () => {
  let passwordServer: EmbeddedPostgres
  let emptyDatabase: TestDatabase
  let newerDatabase: TestDatabase
  let currentDatabase: TestDatabase
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-mistakes-'))
    // If the tests run as root, the PostgreSQL server runs as another user, which must be able to read this folder.
    await chmod(folder, 0o755)
    const hbaFile = join(folder, 'hba.conf')
    await writeFile(hbaFile, `host all trusted 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`)
    passwordServer = await startEmbeddedPostgres({ settings: [`hba_file=${hbaFile}`] })
    emptyDatabase = await createEmptyDatabase()
    newerDatabase = await createTestDatabase()
    await newerDatabase.execute(`insert into muster_migrations (name, sha256) values ('9999-later.sql', 'x')`)
    currentDatabase = await createTestDatabase()
    await writeFile(join(folder, 'people.csv'), 'id,statsu\n')
    await writeFile(join(folder, 'people.txt'), '')
  })
  after(async () => {
    await passwordServer.stop()
    await Promise.all([emptyDatabase, newerDatabase, currentDatabase].map((database) => database.drop()))
    await rm(folder, { recursive: true })
  })

  /** Runs muster, and returns its exit code and everything it printed. */
  const runMuster = async (args: string[], env: Record<string, string>): Promise<[code: number, output: string]> => {
    const { code, out, err } = await muster(args, env)
    return [code, out + err]
  }

  /** Runs muster as a separate process: the driver reads the user name from the environment of the process. */
  const runProcess = async (
    args: string[],
    env: Record<string, string>,
  ): Promise<[code: number | null, output: string]> => {
    const command = runCommand('muster.ts', args, env)
    const code = await command.exitPromise
    return [code, command.output]
  }

  /** The line that `muster migrate`, `seed` and `import` print first: it names the database that they use. */
  const targetLineOf = ({ url }: TestDatabase): string => {
    const { host, pathname, username } = new URL(url)
    return `Database "${pathname.slice(1)}" at ${host}, as "${username}"`
  }

  const urlWith = (changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(passwordServer.url), changes).href

  it('the database is down', async () => {
    assert.deepEqual(await runMuster(['migrate'], { DATABASE_URL: unreachableUrl }), [
      1,
      'Database "none" at 127.0.0.1:1, as "postgres"\nNo PostgreSQL listens at 127.0.0.1:1: start it, or correct the database URL.\n',
    ])
  })

  it('the password is wrong', async () => {
    assert.deepEqual(await runMuster(['export', 'jobs'], { DATABASE_URL: urlWith({ password: 'guess' }) }), [
      1,
      `PostgreSQL at 127.0.0.1:${passwordServer.port} refuses the password of "postgres": correct the database URL.\n`,
    ])
  })

  it('the password is wrong while it serves, and stays up without being ready', async () => {
    const service = await startInProcess({ DATABASE_URL: urlWith({ password: 'guess' }) })
    await service.waitForOutput(/refuses the password of \\"postgres\\": correct the database URL\./)
    const { origin } = service
    assert.deepEqual(
      [(await sendRequest(`${origin}/livez`)).status, (await sendRequest(`${origin}/readyz`)).status],
      [200, 503],
    )
    await service.stop()
  })

  it('the database does not exist', async () => {
    assert.deepEqual(await runMuster(['seed'], { DATABASE_URL: urlWith({ pathname: '/mustre' }) }), [
      1,
      `Database "mustre" at 127.0.0.1:${passwordServer.port}, as "postgres"\nPostgreSQL at 127.0.0.1:${passwordServer.port} has no database "mustre": create it with encoding UTF8, for example with createdb.\n`,
    ])
  })

  it('the migrations have not been run', async () => {
    const sentence = 'The database does not have the tables of this release: run npx muster migrate first.\n'
    const importResult = await runMuster(['import', 'employees', join(folder, 'people.csv')], {
      DATABASE_URL: emptyDatabase.url,
    })
    assert.deepEqual(importResult, [1, `${targetLineOf(emptyDatabase)}\n${sentence}`])
    assert.deepEqual(await runMuster(['export', 'employees'], { DATABASE_URL: emptyDatabase.url }), [1, sentence])
  })

  it('the database is newer than the release', async () => {
    assert.deepEqual(await runMuster(['migrate'], { DATABASE_URL: newerDatabase.url }), [
      1,
      `${targetLineOf(newerDatabase)}\nThe database is newer than this release: it has 9999-later.sql, so run the release that contains it.\n`,
    ])
  })

  it('the port is in use', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as AddressInfo
    const sentence = `Port ${port} on 127.0.0.1 is already in use: stop the other process, or set PORT.\n`
    assert.deepEqual(
      await runProcess(['demo', '--data', join(folder, 'demo')], {
        DATABASE_URL: currentDatabase.url,
        PORT: String(port),
        MUSTER_LOG_LEVEL: 'silent',
      }),
      [1, sentence],
    )
    portHolder.close()
  })

  it('a token is given both as a setting and in a file', async () => {
    const env = { DATABASE_URL: currentDatabase.url, MUSTER_API_TOKEN: 'a', MUSTER_API_TOKEN_FILE: '/dev/null' }
    for (const args of [['serve'], ['demo', '--data', join(folder, 'demo')]])
      assert.deepEqual(await runMuster(args, { ...env, PORT: '0' }), [
        1,
        'Both MUSTER_API_TOKEN and MUSTER_API_TOKEN_FILE are set: keep one of them.\n',
      ])
  })

  it('a setting is misspelt, and starts nevertheless', async () => {
    const service = await startInProcess({ DATABASE_URL: currentDatabase.url, MUSTER_LOGLEVEL: 'info' })
    assert.match(service.output, /"The setting MUSTER_LOGLEVEL is not known; did you mean MUSTER_LOG_LEVEL\?"/)
    await service.stop()
  })

  const usageErrors: [title: string, args: string[], sentence: string, help: string][] = [
    ['a command is misspelt', ['doctr'], 'There is no command "doctr"; did you mean doctor?', 'muster --help'],
    [
      'an option is misspelt',
      ['import', 'jobs', 'x.csv', '--skip-bda'],
      'There is no option --skip-bda; did you mean --skip-bad?',
      'muster import --help',
    ],
    [
      'an option is the name of a setting',
      ['serve', '--port', '9000'],
      'There is no option --port: it is a setting, so set PORT in the environment.',
      'muster serve --help',
    ],
    [
      'an option stands before the command',
      ['--size', 'large'],
      'There is no option --size: name a command first (serve, roles, migrate, seed, import, sync, history, export, erase, token, mcp, webhooks, demo, doctor).',
      'muster --help',
    ],
    [
      'an option lacks its value',
      ['export', 'jobs', '-o'],
      'The option -o needs a value: -o FILE.',
      'muster export --help',
    ],
    [
      'a value is given to an option that takes none',
      ['import', 'jobs', '--dry-run=yes'],
      'The option --dry-run takes no value.',
      'muster import --help',
    ],
    [
      'an option has a value that is not allowed',
      ['seed', '--size', 'tiny'],
      '--size must be one of small, medium, large, huge, not "tiny".',
      'muster seed --help',
    ],
    [
      'a numeric option has a value that is not a number',
      ['seed', '--employees', 'many'],
      '--employees must be a whole number, not "many".',
      'muster seed --help',
    ],
    [
      'there is one argument too many',
      ['serve', 'now'],
      'muster serve takes no arguments: remove "now".',
      'muster serve --help',
    ],
    [
      'a resource is misspelt',
      ['import', 'employes', 'x.csv'],
      'There is no resource "employes"; did you mean employees?',
      'muster import --help',
    ],
    [
      'no resource is named',
      ['export'],
      `Name a resource: ${resources.map(({ path }) => path).join(', ')}.`,
      'muster export --help',
    ],
    [
      'a file name does not show its format',
      ['import', 'employees', 'people.txt'],
      'The name of people.txt does not show its format: add --format csv or --format ndjson.',
      'muster import --help',
    ],
    [
      'the format of standard input is not specified',
      ['import', 'employees'],
      'The format of standard input is unknown: add --format csv or --format ndjson.',
      'muster import --help',
    ],
    [
      '--all is combined with a resource',
      ['export', 'jobs', '--all', 'x'],
      '--all exports everything: remove "jobs".',
      'muster export --help',
    ],
  ]
  for (const [title, args, sentence, help] of usageErrors) {
    it(title, async () => {
      // One of them runs as a process, whose exit code and output are the same.
      const run = args[0] === 'doctr' ? runProcess : runMuster
      assert.deepEqual(await run(args, { DATABASE_URL: currentDatabase.url }), [2, `${sentence}\nSee: ${help}\n`])
    })
  }

  it('a column is misspelt', async () => {
    assert.deepEqual(
      await runMuster(['import', 'employees', join(folder, 'people.csv')], { DATABASE_URL: currentDatabase.url }),
      [
        1,
        `${targetLineOf(currentDatabase)}\nThe first line names a column "statsu", which employees do not have; did you mean status?\n`,
      ],
    )
  })

  it('a file or folder does not exist, or a folder is named instead of a file or vice versa', async () => {
    const env = { DATABASE_URL: currentDatabase.url }
    assert.deepEqual(await runMuster(['import', 'jobs', '/nowhere/jobs.csv'], env), [
      1,
      'There is no file /nowhere/jobs.csv.\n',
    ])
    assert.deepEqual(await runMuster(['import', 'jobs', folder, '--format', 'csv'], env), [
      1,
      `${folder} is a folder: name it with --all ${folder}.\n`,
    ])
    assert.deepEqual(await runMuster(['import', '--all', '/nowhere'], env), [1, 'There is no folder /nowhere.\n'])
    assert.deepEqual(await runMuster(['import', '--all', join(folder, 'people.txt')], env), [
      1,
      `There is no folder ${join(folder, 'people.txt')}.\n`,
    ])
    assert.deepEqual(await runMuster(['export', 'jobs', '-o', '/nowhere/jobs.csv'], env), [
      1,
      '/nowhere/jobs.csv cannot be written (ENOENT): name another file.\n',
    ])
    assert.deepEqual(await runMuster(['export', '--all', join(folder, 'people.txt')], env), [
      1,
      `The folder ${join(folder, 'people.txt')} cannot be created (EEXIST): name another folder.\n`,
    ])
  })

  it('no database URL is set', async () => {
    for (const args of [['serve'], ['migrate'], ['seed'], ['export', 'jobs']])
      assert.deepEqual(await runMuster(args, {}), [
        1,
        'DATABASE_URL is not set: set it to the URL of a PostgreSQL database, such as postgres://user@127.0.0.1:5432/muster.\n',
      ])
  })

  it('the database URL names no database, for which the driver would use the user name', async () => {
    for (const url of ['postgres://postgres@127.0.0.1:1', 'postgres://postgres@127.0.0.1:1/?sslmode=disable'])
      for (const args of [['migrate'], ['seed'], ['import', 'jobs', join(folder, 'people.csv')], ['serve']])
        assert.deepEqual(await runMuster(args, { DATABASE_URL: url }), [
          1,
          'DATABASE_URL names no database: add its name at the end, such as postgres://user@127.0.0.1:5432/muster.\n',
        ])
  })

  it('the password has a character with a special meaning in URLs', async () => {
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
        await runMuster(['migrate'], { DATABASE_URL: `postgres://postgres:${password}@127.0.0.1:1/muster` }),
        [
          1,
          'DATABASE_URL has a character in its password (or user name) that must be percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.\n',
        ],
        password,
      )
  })

  it('the password has a special character, but not if the character is unambiguous or follows the host', async () => {
    const roleName = 'odd_login'
    await withClient(passwordServer.url, (client) => client.query(`create role ${roleName} login password 'a@b:c%/'`))
    for (const password of ['a@b:c%25%2F', 'a%40b%3Ac%25%2F'])
      assert.deepEqual(
        await runMuster(['export', 'jobs'], {
          DATABASE_URL: `postgres://${roleName}:${password}@127.0.0.1:${passwordServer.port}/postgres?application_name=a@b`,
        }),
        [1, 'The database does not have the tables of this release: run npx muster migrate first.\n'],
      )
  })

  it('the database URL names no user', async () => {
    const DATABASE_URL = `postgres://127.0.0.1:${passwordServer.port}/postgres`
    assert.deepEqual(await runProcess(['export', 'jobs'], { DATABASE_URL }), [
      1,
      `The database URL names no user, and neither PGUSER nor USER is set: write it as postgres://user@127.0.0.1:${passwordServer.port}/postgres.\n`,
    ])
    assert.deepEqual(await runProcess(['export', 'jobs'], { DATABASE_URL, USER: 'somebody', PGPASSWORD: 'x' }), [
      1,
      `PostgreSQL at 127.0.0.1:${passwordServer.port} refuses the password of "somebody": correct the database URL.\n`,
    ])
  })

  it('the database URL names no user, even if the server requires no password', async () => {
    const { port } = passwordServer
    assert.deepEqual(
      await runProcess(['migrate'], { DATABASE_URL: `postgres://127.0.0.1:${port}/postgres`, USER: 'trusted' }),
      [
        1,
        `Database "postgres" at 127.0.0.1:${port}, as "trusted"\nPostgreSQL at 127.0.0.1:${port} does not let "trusted" (the user of this session, since the database URL names none) connect (role "trusted" does not exist): create the role, allow it in pg_hba.conf, or name another user in the URL.\n`,
      ],
    )
  })

  it('a secret file cannot be read, or is empty', async () => {
    const file = join(folder, 'secret')
    const env = { DATABASE_URL: currentDatabase.url, PORT: '0' }
    assert.deepEqual(await runMuster(['serve'], { ...env, MUSTER_API_TOKEN_FILE: file }), [
      1,
      `MUSTER_API_TOKEN_FILE names ${file}, which cannot be read: there is no such file.\n`,
    ])
    assert.deepEqual(await runMuster(['serve'], { ...env, MUSTER_READ_TOKEN_FILE: folder }), [
      1,
      `MUSTER_READ_TOKEN_FILE names ${folder}, which cannot be read: it is a directory.\n`,
    ])
    await writeFile(file, '\n')
    assert.deepEqual(await runMuster(['migrate'], { DATABASE_URL_FILE: file }), [
      1,
      `DATABASE_URL_FILE names ${file}, which is empty: write the URL into it.\n`,
    ])
  })

  it('a token file is empty while it serves', async () => {
    const file = join(folder, 'token')
    await writeFile(file, '')
    const service = await startInProcess({ DATABASE_URL: currentDatabase.url, MUSTER_API_TOKEN_FILE: file })
    const warning = `MUSTER_API_TOKEN_FILE names ${file}, which is empty, so creates are disabled: write a token into it, or unset MUSTER_API_TOKEN_FILE.`
    assert.equal(service.output.split(warning).length, 2, service.output)
    await service.stop()
  })

  it('an export would overwrite files', async () => {
    const env = { DATABASE_URL: currentDatabase.url }
    const backupFolder = join(folder, 'backup')
    assert.equal((await runMuster(['export', '--all', backupFolder], env))[0], 0)
    await rm(join(backupFolder, 'leave.csv'))
    await writeFile(join(backupFolder, 'jobs.csv'), 'mine')
    const [code, output] = await runMuster(['export', '--all', backupFolder], env)
    assert.equal(code, 1)
    const files = listedResources.filter(({ path }) => path !== 'leave').map(({ path }) => `${path}.csv`)
    assert.equal(
      output,
      `${backupFolder} already contains ${[...files, 'erased-keys.ndjson', 'manifest.json'].join(', ')}: add --force to overwrite, or name another folder.\n`,
    )
    const file = join(backupFolder, 'jobs.csv')
    assert.deepEqual(await runMuster(['export', 'jobs', '-o', file], env), [
      1,
      `${file} already exists: add --force to overwrite it, or name another file.\n`,
    ])
    assert.equal(await readFile(file, 'utf8'), 'mine')
    assert.equal((await runMuster(['export', '--all', backupFolder, '--force'], env))[0], 0)
    assert.match(await readFile(file, 'utf8'), /^id,code,title,/)
  })

  // No folder can be created in /proc, or in /proc/none on a system that has no /proc.
  it('a folder cannot be created', async () => {
    const env = { DATABASE_URL: currentDatabase.url, PORT: '0' }
    const sentence = /The folder \/proc\/none\/backup cannot be created \([A-Z]+\): name another folder\.\n$/
    for (const args of [
      ['export', '--all', '/proc/none/backup'],
      ['demo', '--data', '/proc/none/backup'],
    ]) {
      const [code, output] = await runMuster(args, env)
      assert.equal(code, 1, output)
      assert.match(output, sentence)
    }
  })

  it('a file is not UTF-8', async () => {
    const file = join(folder, 'departments.csv')
    await writeFile(file, Buffer.from('name\nVertrieb\nBüro\n', 'latin1'))
    for (const args of [[], ['--skip-bad']])
      assert.deepEqual(
        await runMuster(['import', 'departments', file, ...args], { DATABASE_URL: currentDatabase.url }),
        [
          1,
          `${targetLineOf(currentDatabase)}\ndepartments.csv is not UTF-8: line 3 has the byte 0xFC at position 2. Convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8 departments.csv > utf8-departments.csv\n`,
        ],
      )
  })
})
