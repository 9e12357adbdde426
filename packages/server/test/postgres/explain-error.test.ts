import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { explainDatabaseError, OperatorError } from '../../src/postgres/connection/explain-error.ts'
import type { Statement } from '../../src/postgres/sql/statement.ts'

const url = 'postgres://muster:secret@db.example:5433/people'

const errorWith = (code: string | number | undefined, message = 'as the server said'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

const sentences: [error: Error, sentence: string][] = [
  [errorWith('ECONNREFUSED'), 'No PostgreSQL listens at db.example:5433: start it, or correct the database URL.'],
  [errorWith('ENOENT'), 'No PostgreSQL listens at db.example:5433: start it, or correct the database URL.'],
  [errorWith('ENOTFOUND'), 'The database host db.example:5433 cannot be resolved: correct the database URL.'],
  [errorWith('EAI_AGAIN'), 'The database host db.example:5433 cannot be resolved: correct the database URL.'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map((code): [Error, string] => [
    errorWith(code),
    'PostgreSQL at db.example:5433 cannot be reached: check the network and the database URL.',
  ]),
  [errorWith('28P01'), 'PostgreSQL at db.example:5433 refuses the password of "muster": correct the database URL.'],
  [
    errorWith('28000'),
    'PostgreSQL at db.example:5433 does not let "muster" connect (as the server said): create the role, allow it in pg_hba.conf, or name another user in the URL.',
  ],
  [
    errorWith('3D000'),
    'PostgreSQL at db.example:5433 has no database "people": create it with encoding UTF8, for example with createdb.',
  ],
  [
    errorWith('42501', 'permission denied for table leave_requests'),
    '"muster" lacks a permission (permission denied for table leave_requests): grant it, or connect as a role that has it; for migrations, set DATABASE_MIGRATE_URL.',
  ],
  [
    errorWith('42704', 'role "muster_reader" does not exist'),
    'The role "muster_reader" does not exist: have an administrator run the output of "muster roles".',
  ],
  [
    errorWith('25006'),
    'PostgreSQL at db.example:5433 does not accept writes now (as the server said): correct the database URL if it names a standby.',
  ],
  [errorWith('53100'), 'PostgreSQL at db.example:5433 has no disk space left (as the server said): free some.'],
  [errorWith('53300'), 'PostgreSQL at db.example:5433 has no free connections: close some, or raise max_connections.'],
  [
    errorWith('55P03'),
    'A statement waited too long for a lock (as the server said): check pg_stat_activity for the transaction that holds it.',
  ],
  [
    errorWith('57014'),
    'A statement took too long or was cancelled (as the server said): check the log of PostgreSQL at db.example:5433.',
  ],
  [errorWith('57P03'), 'PostgreSQL at db.example:5433 is starting or stopping: try again in a moment.'],
  [
    errorWith(undefined, 'SASL: client password must be a string'),
    'PostgreSQL at db.example:5433 requires a password for "muster": add it to the database URL.',
  ],
  [
    errorWith(undefined, 'timeout expired'),
    'PostgreSQL at db.example:5433 does not respond in time: check the network and the database URL.',
  ],
  [
    errorWith('08P01', 'unsupported startup parameter: options'),
    'The connection pooler at db.example:5433 rejects session settings: set DATABASE_POOLER=transaction.',
  ],
  [
    errorWith(undefined, 'The server does not support SSL connections'),
    'PostgreSQL at db.example:5433 does not support TLS: remove sslmode from the database URL, or enable TLS there.',
  ],
  [
    errorWith('0A000', 'extension "pg_trgm" is not available'),
    'PostgreSQL at db.example:5433 lacks the contrib extensions (extension "pg_trgm" is not available): install the postgresql-contrib package there.',
  ],
]

describe('explainDatabaseError', () => {
  for (const [error, sentence] of sentences) {
    it(`explains: ${sentence}`, () => {
      const explained = explainDatabaseError(error, url)
      assert.ok(explained instanceof OperatorError)
      assert.equal(explained.message, sentence)
      assert.equal(explained.cause, error)
    })
  }

  it('returns undefined for an error that it cannot explain, and an OperatorError unchanged', () => {
    assert.equal(explainDatabaseError(errorWith('XX000'), url), undefined)
    assert.equal(explainDatabaseError(errorWith(7), url), undefined)
    assert.equal(explainDatabaseError(errorWith('42704', 'type "x" does not exist'), url), undefined)
    assert.equal(explainDatabaseError('not an error', url), undefined)
    const explained = new OperatorError('Explained already.')
    assert.equal(explainDatabaseError(explained, url), explained)
  })

  it('names the server that the URL points to', () => {
    const connectionRefused = errorWith('ECONNREFUSED')
    const serverNamedFor = (url: string) => explainDatabaseError(connectionRefused, url)?.message.split(': ')[0]
    assert.equal(serverNamedFor('postgres://db.example/people'), 'No PostgreSQL listens at db.example:5432')
    // The URL names no host, so the driver connects to localhost.
    assert.equal(serverNamedFor('postgres:///people'), 'No PostgreSQL listens at localhost:5432')
    assert.equal(
      serverNamedFor('postgres://%2Frun%2Fpostgresql/people'),
      'No PostgreSQL listens at the socket in /run/postgresql',
    )
    assert.equal(serverNamedFor('postgres://[::1]:5433/people'), 'No PostgreSQL listens at [::1]:5433')
    assert.equal(serverNamedFor('not a URL'), 'The database URL is not valid')
  })
})

describe('a connection error of a read', () => {
  it('names the server of DATABASE_READ_URL, not that of DATABASE_URL', async () => {
    const [url, readUrl] = ['postgres://writer@127.0.0.1:1/muster', 'postgres://reader@127.0.0.1:2/muster']
    const database = openDatabase({ url, readUrl, poolSize: 1 })
    const causeOf = async (pool: Statement['pool']): Promise<string> => {
      database.setReady(true)
      const cause = await database.run({ pool, text: 'select', values: [] }).catch((error: Error) => error.cause)
      return String(cause)
    }
    assert.match(await causeOf('read'), /No PostgreSQL listens at 127\.0\.0\.1:2/)
    assert.match(await causeOf('write'), /No PostgreSQL listens at 127\.0\.0\.1:1/)
    await database.close()
  })
})
