/** A list from a German payroll program: no salary is ever stored wrongly, and what can be read in two ways is refused. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { InputRow } from '../../src/import-export/row-reader.ts'
import { parseFieldMap } from '../../src/sync/field-map.ts'
import { openMappedReader } from '../../src/sync/mapped-reader.ts'

const payroll = [
  'Gehaltsübersicht 2026;;;;;;;',
  'Mandant 00417;;;;;;;',
  'PersNr;Familienname;Vorname;Abteilung;Vorgesetzter Personalnummer;Eintritt;Vertragsart;Jahresbrutto',
  '00007;Groß-Übel;Käthe;Vertrieb;;01.03.2019;Vollzeit;58.000',
  '00042;Öztürk;Jürgen;Vertrieb;00007;15.10.2021;Teilzeit;31.250,50',
  '0042;Fuß;Änne;Entwicklung;00007;03.04.2022;Vollzeit;58.000,00',
  '00108;Böhm;Zoë;Entwicklung;0042;30.11.2023;Befristet;1.204,75',
  'Summe;;;;;;;148.455,25',
  '',
]

const map = {
  resource: 'employees',
  delimiter: ';',
  encoding: 'windows-1252',
  decimal: ',',
  thousands: '.',
  date: 'DD.MM.YYYY',
  skip_rows: [1, 2],
  skip_where: { PersNr: 'Summe' },
  columns: {
    PersNr: 'code',
    Familienname: 'last_name',
    Vorname: 'first_name',
    Abteilung: { field: 'dept_id', by: 'departments.name' },
    'Vorgesetzter Personalnummer': { field: 'manager_id', by: 'employees.code' },
    Eintritt: 'date_of_joining',
    Vertragsart: {
      field: 'employment_type',
      values: { Vollzeit: 'full_time', Teilzeit: 'part_time', Befristet: 'contract' },
    },
    Jahresbrutto: 'base_salary' as string | object,
  },
  defaults: { status: 'active' },
}

const withoutFormat = { ...map, decimal: undefined, thousands: undefined }
const withRule = (rule: object): object => ({
  ...withoutFormat,
  columns: { ...map.columns, Jahresbrutto: { field: 'base_salary', ...rule } },
})

const expected = [
  {
    code: '00007',
    name: 'Groß-Übel',
    department: 'Vertrieb',
    manager: null,
    since: '2019-03-01',
    type: 'full_time',
    pay: 58_000,
  },
  {
    code: '00042',
    name: 'Öztürk',
    department: 'Vertrieb',
    manager: '00007',
    since: '2021-10-15',
    type: 'part_time',
    pay: 31_250.5,
  },
  {
    code: '00108',
    name: 'Böhm',
    department: 'Entwicklung',
    manager: '0042',
    since: '2023-11-30',
    type: 'contract',
    pay: 1_204.75,
  },
  {
    code: '0042',
    name: 'Fuß',
    department: 'Entwicklung',
    manager: '00007',
    since: '2022-04-03',
    type: 'full_time',
    pay: 58_000,
  },
]

describe('muster sync of a payroll file', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-payroll-'))
    await database.execute(`insert into departments (name) values ('Vertrieb'), ('Entwicklung')`)
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => database.execute('delete from employees'))

  const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
  const syncBytes = async (members: object, bytes: Buffer, ...options: string[]): Promise<CommandResult> => {
    const [file, mapFile] = [join(folder, 'gehalt.csv'), join(folder, 'map.json')]
    await writeFile(file, bytes)
    await writeFile(mapFile, JSON.stringify(members))
    return muster(['sync', 'employees', file, '--map', mapFile, ...options], { DATABASE_URL: database.url })
  }
  const sync = (members: object, lines: readonly string[] = payroll, ...options: string[]): Promise<CommandResult> =>
    syncBytes(members, bytesOf(lines), ...options)
  const stored = (): Promise<object[]> =>
    database.query(
      `select e.code, e.last_name as name, d.name as department, m.code as manager, e.date_of_joining::text as since,
         e.employment_type as type, e.base_salary as pay
       from employees e left join departments d on d.id = e.dept_id left join employees m on m.id = e.manager_id
       order by e.code collate "C"`,
    )
  const assertRefused = async (result: Promise<CommandResult>, message: RegExp): Promise<void> => {
    const { code, out, err } = await result
    assert.equal(code, 1, out)
    assert.match(out + err, message)
    assert.deepEqual(await stored(), [])
  }

  it('stores the salaries, codes with their zeros and names as the file means them', async () => {
    const { code, out } = await sync(map)
    assert.equal(code, 0, out)
    assert.deepEqual(await stored(), expected)
    assert.match(out, /^gehalt\.csv: skipped 1 row \(line 8\), as "skip_where" of the map says$/m)
    assert.match((await sync(map)).out, /Nothing to change/)
  })

  it('is refused if the map does not say how numbers are written, with both readings of 58.000', async () => {
    await assertRefused(
      sync(withoutFormat, payroll, '--show-values'),
      /^gehalt\.csv:4: column 8 "Jahresbrutto" \(base_salary\): This number can be read with "\." .*\("58\.000": 58 or 58000\)$/m,
    )
  })

  it('is refused if the map says the decimal sign of another country, also with --skip-bad', async () => {
    for (const members of [
      { ...map, decimal: '.', thousands: ',' },
      { ...map, decimal: '.', thousands: undefined },
      withRule({ decimal: '.' }),
      withRule({ decimal: '.', thousands: ',' }),
    ])
      for (const options of [[], ['--skip-bad']])
        await assertRefused(sync(members, payroll, ...options), /[Ll]ine 5|gehalt\.csv:[45]: column 8 "Jahresbrutto"/)
  })

  it('is refused if a salary has no thousands separator in the map, but in the file', async () => {
    await assertRefused(sync({ ...map, thousands: undefined }), /gehalt\.csv:4: column 8 "Jahresbrutto"/)
    await assertRefused(sync(withRule({ decimal: ',' })), /gehalt\.csv:4: column 8 "Jahresbrutto"/)
  })

  it('is refused with its row of totals, unless "skip_where" names it', async () => {
    await assertRefused(
      sync({ ...map, skip_where: undefined }),
      /^gehalt\.csv:8: column 1 "PersNr": This looks like a row of totals/m,
    )
    for (const word of ['Ergebnis', 'Vertrieb Ergebnis', 'Gesamt:', 'Total'])
      await assertRefused(sync(map, payroll.with(7, `${word};;;;;;;148.455,25`)), /^gehalt\.csv:8: column 1 "PersNr"/m)
  })

  it('is refused in another encoding, with another delimiter or with its title lines as column names', async () => {
    const text = payroll.join('\r\n')
    await assertRefused(syncBytes(map, Buffer.from(text, 'utf8')), /UTF-8/)
    await assertRefused(sync({ ...map, encoding: undefined }), /is not UTF-8: line 1 has the byte 0xfc/i)
    await assertRefused(sync({ ...map, delimiter: ',' }), /are separated by semicolons, but the map expects commas/)
    await assertRefused(sync({ ...map, skip_rows: [1] }), /knows none of the \d cells? of line 2/)
  })

  it('never takes a code for another one with fewer zeros', async () => {
    const lines = payroll.map((line) => line.replace(';00007;', ';7;'))
    await assertRefused(
      sync(map, lines),
      /^gehalt\.csv:5: column 5 "Vorgesetzter Personalnummer" \(manager_id\): No employee has this code/m,
    )
  })

  it('is refused if codes are in the column of salaries', async () => {
    for (const cell of ['00007', '0042', '-00042'])
      await assertRefused(
        sync(
          map,
          payroll.map((line) => line.replace(/58\.000$/, cell)),
        ),
        /^gehalt\.csv:4: column 8 "Jahresbrutto" \(base_salary\): This number has leading zeros/m,
      )
  })

  it('reads or refuses 58,000 in every notation, and never as another number', async () => {
    const read = async (members: object, cell: string): Promise<unknown> => {
      const parsed = parseFieldMap(JSON.stringify(members), 'of the test')
      const lines = [...payroll.slice(0, 3), `00007;A;B;;;;;"${cell}"`, '']
      const bytes = (): Readable => Readable.from([bytesOf(lines)])
      const source = { resource: parsed.resource, format: 'csv', name: 'gehalt.csv', bytes } as const
      const { rows } = openMappedReader(parsed, source, { skipBad: false, dryRun: false })
      const [row] = (await Readable.from(rows).toArray()).flat() as InputRow[]
      const value = row?.inputs[parsed.resource.storedFields.findIndex(({ name }) => name === 'base_salary')]
      return row?.errors.length === 0 ? value : undefined
    }
    const [german, swiss, english, plain] = ['58.000', "58'000", '58,000', '58000']
    const cells = [german, swiss, '58 000', '58\u00a0000', english, plain].flatMap((whole) => {
      const decimals = ['', ',0', ',00', '.0', '.00', ',-', ' €', ' EUR', '-', '+', 'k']
      return [...decimals.map((end) => `${whole}${end}`), `+${whole}`, `EUR ${whole}`, `0${whole}`]
    })
    const notRead: string[] = []
    for (const cell of cells) {
      for (const members of [map, withoutFormat]) {
        const value = await read(members, cell)
        if (value === undefined) notRead.push(cell)
        else assert.equal(value, 58_000, `${cell} with ${JSON.stringify(members)}`)
      }
    }
    for (const cell of [german, '58.000,00', '58000,0', plain, '+58.000'])
      assert.equal(await read(map, cell), 58_000, cell)
    // The rule of the column decides what is ambiguous in the rest of the map.
    const ofColumn = withRule({ decimal: ',', thousands: '.' })
    assert.deepEqual([await read(ofColumn, '58.000'), await read(ofColumn, '58,000')], [58_000, 58])
    for (const cell of ['58.000', '58,000', "58'000", '058000'])
      assert.equal(await read(withoutFormat, cell), undefined)
    assert.ok(notRead.length > cells.length, String(notRead.length))
  })

  it('has a draft that asks about the encoding, the totals and the status only, and is right once they are decided', async () => {
    const file = join(folder, 'gehalt.csv')
    await writeFile(file, bytesOf(payroll))
    const { code, out, err } = await muster(['sync', '--make-map', file], {})
    assert.equal(code, 0, err)
    const { unsure, ...draft } = JSON.parse(out)
    assert.deepEqual(Object.keys(unsure).toSorted(), ['defaults', 'encoding', 'skip_where'])
    assert.doesNotMatch(JSON.stringify(draft), /"unsure"/)
    const result = await sync(draft)
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await stored(), expected)
  })

  it('has a draft that asks about its salaries if all of them can be read in two ways', async () => {
    const file = join(folder, 'gehalt.csv')
    await writeFile(file, bytesOf([...payroll.slice(0, 4), payroll[5]?.replace(',00', '') ?? '', '']))
    const { out } = await muster(['sync', '--make-map', file], {})
    const { unsure } = JSON.parse(out).columns.Jahresbrutto
    assert.match(unsure, /^All numbers can be read in two ways\. Correct "decimal" and "thousands"/)
  })
})
