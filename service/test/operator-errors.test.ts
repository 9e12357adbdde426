/** What an operator is told of a fault of the database: one sentence that names the cure, and never the password. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../src/database/database.ts'
import { explainDatabaseFault, OperatorError } from '../src/database/operator-error.ts'
import type { Statement } from '../src/database/statement.ts'

const url = 'postgres://muster:secret@db.example:5433/people'

const fault = (code: string | number | undefined, message = 'as the server said'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

const sentences: [fault: Error, sentence: string][] = [
  [fault('ECONNREFUSED'), 'No PostgreSQL listens at db.example:5433: start it, or correct the database address.'],
  [fault('ENOENT'), 'No PostgreSQL listens at db.example:5433: start it, or correct the database address.'],
  [fault('ENOTFOUND'), 'The database host db.example:5433 is not known here: correct the database address.'],
  [fault('EAI_AGAIN'), 'The database host db.example:5433 is not known here: correct the database address.'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map((code): [Error, string] => [
    fault(code),
    'PostgreSQL at db.example:5433 cannot be reached: check the network and the database address.',
  ]),
  [fault('28P01'), 'PostgreSQL at db.example:5433 refuses the password of "muster": correct the database address.'],
  [
    fault('28000'),
    'PostgreSQL at db.example:5433 does not let "muster" in (as the server said): create the role, allow it in pg_hba.conf, or name another user in the address.',
  ],
  [
    fault('3D000'),
    'PostgreSQL at db.example:5433 has no database "people": create it with encoding UTF8, for example with createdb.',
  ],
  [
    fault('42501', 'permission denied for table leave_requests'),
    '"muster" lacks a permission (permission denied for table leave_requests): grant it, or connect as a role that has it, for migrations by DATABASE_MIGRATE_URL.',
  ],
  [
    fault('42704', 'role "muster_reader" does not exist'),
    'The role "muster_reader" does not exist: let an administrator run what "muster roles" writes.',
  ],
  [
    fault('25006'),
    'PostgreSQL at db.example:5433 takes no writes now (as the server said): correct the database address where it leads to a standby.',
  ],
  [fault('53100'), 'PostgreSQL at db.example:5433 has no room left on its disk (as the server said): make some there.'],
  [fault('53300'), 'PostgreSQL at db.example:5433 has no connection left: close some, or raise max_connections.'],
  [
    fault('55P03'),
    'A statement waited too long for a lock (as the server said): look in pg_stat_activity for the transaction that holds it.',
  ],
  [
    fault('57014'),
    'A statement took too long or was cancelled (as the server said): look in the log of PostgreSQL at db.example:5433.',
  ],
  [fault('57P03'), 'PostgreSQL at db.example:5433 is starting or stopping: try again in a moment.'],
  [
    fault(undefined, 'SASL: client password must be a string'),
    'PostgreSQL at db.example:5433 asks "muster" for a password: add it to the database address.',
  ],
  [
    fault(undefined, 'timeout expired'),
    'PostgreSQL at db.example:5433 does not answer in time: check the network and the database address.',
  ],
  [
    fault('08P01', 'unsupported startup parameter: options'),
    'The pooler at db.example:5433 takes no settings at the start of a session: set DATABASE_POOLER=transaction.',
  ],
  [
    fault(undefined, 'The server does not support SSL connections'),
    'PostgreSQL at db.example:5433 does not speak TLS: take sslmode out of the database address, or turn TLS on there.',
  ],
  [
    fault('0A000', 'extension "pg_trgm" is not available'),
    'PostgreSQL at db.example:5433 lacks its contributed extensions (extension "pg_trgm" is not available): install the postgresql-contrib package there.',
  ],
]

describe('a fault of the database', () => {
  for (const [error, sentence] of sentences) {
    it(`is told as: ${sentence}`, () => {
      const explained = explainDatabaseFault(error, url)
      assert.ok(explained instanceof OperatorError)
      assert.equal(explained.message, sentence)
      assert.equal(explained.cause, error)
    })
  }

  it('is left as it is where there is no better sentence', () => {
    assert.equal(explainDatabaseFault(fault('XX000'), url), undefined)
    assert.equal(explainDatabaseFault(fault(7), url), undefined)
    assert.equal(explainDatabaseFault(fault('42704', 'type "x" does not exist'), url), undefined)
    assert.equal(explainDatabaseFault('not an error', url), undefined)
    const told = new OperatorError('Told already.')
    assert.equal(explainDatabaseFault(told, url), told)
  })

  it('names the server by whatever the address names', () => {
    const refused = fault('ECONNREFUSED')
    const server = (address: string) => explainDatabaseFault(refused, address)?.message.split(': ')[0]
    assert.equal(server('postgres://db.example/people'), 'No PostgreSQL listens at db.example:5432')
    // As the driver connects: to localhost where the address names no host.
    assert.equal(server('postgres:///people'), 'No PostgreSQL listens at localhost:5432')
    assert.equal(
      server('postgres://%2Frun%2Fpostgresql/people'),
      'No PostgreSQL listens at the socket in /run/postgresql',
    )
    assert.equal(server('postgres://[::1]:5433/people'), 'No PostgreSQL listens at [::1]:5433')
    assert.equal(server('not an address'), 'The database address is not a URL')
  })
})

describe('a fault of reads', () => {
  it('names the address that reads go to, and not the one of creates', async () => {
    const [url, readUrl] = ['postgres://writer@127.0.0.1:1/muster', 'postgres://reader@127.0.0.1:2/muster']
    const database = openDatabase({ url, readUrl, poolSize: 1 })
    const faultOf = async (pool: Statement['pool']): Promise<string> => {
      database.setReady(true)
      const fault = await database.run({ pool, text: 'select', values: [] }).catch((error: Error) => error.cause)
      return String(fault)
    }
    assert.match(await faultOf('read'), /No PostgreSQL listens at 127\.0\.0\.1:2/)
    assert.match(await faultOf('write'), /No PostgreSQL listens at 127\.0\.0\.1:1/)
    await database.close()
  })
})
