/** What commands print of files and databases contains no control characters, which a terminal would execute. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { openLog } from '../../src/observability/log.ts'
import { printable } from '../../src/printable.ts'

/** ESC, CSI as one character, DEL, a line separator, and an override of the direction. */
const hostile = '\u001b[31m\u009b2J\u007f\u2028\u202ex'
const escaped = '\\u001b[31m\\u009b2J\\u007f\\u2028\\u202ex'
const forbidden = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

describe('a value in the output of a command', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-printable-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const run = async (args: readonly string[], input = ''): Promise<CommandResult> =>
    muster(args, { DATABASE_URL: database.url }, input)
  const fileWith = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }
  /** The output has the value, but only in its escaped form. */
  const assertEscaped = ({ out, err }: CommandResult, expected = escaped): void => {
    assert.ok((out + err).includes(expected), out + err)
    assert.doesNotMatch(out + err, forbidden)
  }

  it('is escaped in the errors of an import', async () => {
    const rows = `leave_type,status,days\nannual,pending,${hostile}\n`
    assertEscaped(await run(['import', 'leave', '--format', 'csv'], rows))
  })

  it('is escaped in a message about the columns of a file, and is one line there', async () => {
    const result = await run(['import', 'leave', '--format', 'csv'], `"leave_type","${hostile}\nAll stored."\n`)
    assertEscaped(result, `a column "${escaped}\\u000aAll stored."`)
  })

  it('is escaped in the errors of a sync, also as the shape of a personal value', async () => {
    const map = await fileWith(
      'map.json',
      JSON.stringify({ resource: 'employees', columns: { [hostile]: 'code', When: 'probation_end' } }),
    )
    const rows = `code,When\nE1,${hostile}\n`.replace('code', hostile)
    const result = await run(['sync', 'employees', '--format', 'csv', '--map', map], rows)
    assert.equal(result.code, 1, result.err)
    assertEscaped(result, '\\u001b[')
  })

  it('is escaped in the changes of a sync', async () => {
    const rows = `name\n"${hostile}"\n`
    assertEscaped(await run(['sync', 'departments', '--format', 'csv', '--key', 'name', '--dry-run'], rows))
  })

  it('is escaped in a drafted map, which stays the same document', async () => {
    const file = await fileWith('odd.csv', `code,first_name,last_name,${hostile}\nE1,Ana,Lima,x\n`)
    const result = await run(['sync', 'employees', '--make-map', file])
    assertEscaped(result)
    assert.equal(JSON.parse(result.out).columns[hostile], 'ignore')
  })

  it('is escaped in the findings of doctor', async () => {
    await database.query(
      `insert into muster_webhooks (name, status, cursor, server_start, attempts, last_error) values ('payroll', 'failed', '', '1', 10, $1)`,
      [hostile],
    )
    assertEscaped(await run(['doctor']), `the last with: ${escaped}`)
  })

  it('is escaped in the log, which stays the same JSON', () => {
    const lines: string[] = []
    openLog('info', { write: (line) => lines.push(line) }).logger.warn(hostile)
    assert.doesNotMatch(lines.join(''), forbidden)
    assert.deepEqual(
      lines.map((line) => [line.endsWith('}\n'), JSON.parse(line).msg]),
      [[true, hostile]],
    )
  })

  it('is unchanged if it contains only letters, marks and spaces', () => {
    for (const text of ['José Nuñez – “ok” 👩‍💻 नमस्ते', '\\u001b', '']) assert.equal(printable(text), text)
  })
})
