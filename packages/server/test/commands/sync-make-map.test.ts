import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { emptyDatabase, expectedRecords, resourceOf, sampleNames, samplePath, storedRecords } from './sync-samples.ts'

/** A change of one member: its path, and the new value. Without a value, the member is removed. */
type Edit = readonly [path: readonly (string | number)[], value?: unknown]

/** What a person changes in the draft of each file until the first dry run succeeds. */
const edits: Readonly<Record<string, readonly Edit[]>> = {
  'bamboohr-employees': [[['columns', 'Employment Status', 'unsure']], [['columns', 'Status', 0, 'unsure']]],
  'lever-candidates': [[['columns', 'Candidate Name', 'unsure']]],
  'personio-employees': [[['columns', 'Status', 0, 'unsure']], [['columns', 'Employment type'], 'ignore']],
  'successfactors-employees': [[['columns', 'STATUS', 0, 'unsure']]],
}

/** What the shipped map reads beyond what the draft can know. */
const laterEdits: Readonly<Record<string, readonly Edit[]>> = {
  'lever-candidates': [
    [
      ['columns', 'Archive Reason'],
      { field: 'status', values: { '': 'active', Hired: 'hired', Underqualified: 'archived' } },
    ],
  ],
}

type Members = Record<string | number, unknown>

const applied = (map: object, list: readonly Edit[]): object => {
  const changed = structuredClone(map) as Members
  for (const [path, value] of list) {
    let parent = changed
    for (const member of path.slice(0, -1)) parent = parent[member] as Members
    const last = path.at(-1) as string | number
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return changed
}

describe('muster sync --make-map', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-draft-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => emptyDatabase(database))

  const draft = async (file: string, ...resource: string[]) => {
    const { code, out, err } = await muster(['sync', ...resource, '--make-map', file], {})
    assert.equal(code, 0, err)
    return { map: JSON.parse(out), err }
  }

  const syncWith = async (map: object, name: string, ...options: string[]) => {
    const file = join(folder, 'draft.json')
    await writeFile(file, JSON.stringify(map))
    return muster(['sync', resourceOf(name), samplePath(name), '--map', file, ...options], {
      DATABASE_URL: database.url,
    })
  }

  for (const name of sampleNames)
    it(`drafts a map of ${name} that needs at most five edits until the first dry run succeeds`, async () => {
      const { map, err } = await draft(samplePath(name))
      assert.equal(map.resource, resourceOf(name))
      assert.match(err, new RegExp(`A map of this release has all columns of the file: --map .*${name}`))
      const needed = edits[name] ?? []
      assert.ok(needed.length <= 5)
      for (const [index] of needed.entries())
        assert.equal((await syncWith(applied(map, needed.slice(0, index)), name, '--dry-run')).code, 1)
      const dryRun = await syncWith(applied(map, needed), name, '--dry-run')
      assert.equal(dryRun.code, 3, dryRun.out + dryRun.err)
      const all = applied(map, [...needed, ...(laterEdits[name] ?? [])])
      assert.equal((await syncWith(all, name)).code, 0)
      assert.deepEqual(await storedRecords(database, name), expectedRecords[name])
    })

  const draftOf = async (text: string, ...resource: string[]) => {
    const file = join(folder, 'export.csv')
    await writeFile(file, text)
    return (await draft(file, ...resource)).map
  }

  it('marks what can be read in two ways', async () => {
    const map = await draftOf(
      'Personalnummer;Eintritt;Jahresgehalt;Status\n1;01/02/2026;58.000;Aktiv\n2;03/04/2026;61.500;Pausiert\n',
    )
    const { Eintritt, Jahresgehalt, Status } = map.columns
    assert.match(Eintritt.unsure, /"01\/02\/2026", can be read as DD\/MM\/YYYY or MM\/DD\/YYYY/)
    assert.match(Jahresgehalt.unsure, /^All numbers can be read in two ways/)
    assert.match(Status[0].unsure, /"Pausiert" is unknown\. Correct "values"\. Values: active, on_leave/)
    assert.equal(map.delimiter, ';')
  })

  it('takes the format of one column for the others', async () => {
    const map = await draftOf(
      'Code,Hire date,Termination date,Annual salary\n1,01/02/2020,12/31/2025,"58,000"\n2,03/04/2021,,"1,250.50"\n',
    )
    assert.deepEqual(map.columns, {
      Code: 'code',
      'Hire date': 'date_of_joining',
      'Termination date': 'termination_date',
      'Annual salary': 'base_salary',
    })
    assert.deepEqual([map.date, map.decimal, map.thousands], ['MM/DD/YYYY', '.', ','])
    assert.deepEqual(map.defaults, { status: 'active' })
  })

  it('recognizes a column by its values, and says what it ignores', async () => {
    const map = await draftOf(
      'Mitarbeiter-ID,Kontakt,Vorgesetzter,Büro\n1,a@example.com,,Graz\n2,b@example.com,1,Linz\n',
    )
    assert.deepEqual(map.columns, {
      'Mitarbeiter-ID': 'code',
      Kontakt: { field: 'email', about: 'Recognized by its values.' },
      Vorgesetzter: { field: 'manager_id', by: 'employees.code' },
      Büro: 'ignore',
    })
    assert.match(map.about.join(' '), /Ignored, because no field is known for them: Büro\./)
  })

  it('drafts maps of leave and of other resources', async () => {
    const leave = await draftOf('Personalnummer;Abwesenheitsart;Von;Bis;Tage\n7;Urlaub;01.07.2026;14.07.2026;9,5\n')
    assert.deepEqual(leave, {
      ...leave,
      resource: 'leave',
      date: 'DD.MM.YYYY',
      decimal: ',',
      columns: {
        Personalnummer: { field: 'employee_id', by: 'employees.code' },
        Abwesenheitsart: { field: 'leave_type', values: { Urlaub: 'annual' } },
        Von: 'from_date',
        Bis: 'to_date',
        Tage: 'days',
      },
    })
    assert.deepEqual((await draftOf('Name,Head\nSales,x\n', 'departments')).columns, { Name: 'name', Head: 'ignore' })
  })

  it('reads UTF-16 and Windows-1252', async () => {
    const file = join(folder, 'export.csv')
    await writeFile(file, Buffer.from('Code\tNachname\n1\tBöhm\n', 'utf16le'))
    assert.equal((await draft(file, 'employees')).map.encoding, 'utf-16le')
    await writeFile(file, Buffer.from('Code\tNachname\n1\tBöhm\n', 'latin1'))
    const { map } = await draft(file, 'employees')
    assert.equal(map.encoding, 'windows-1252')
    assert.match(map.about[0], /read as windows-1252 \(check letters such as ä and é\)/)
  })

  it('refuses the options of a sync', async () => {
    const { code, err } = await muster(['sync', '--make-map', 'export.csv', '--map', 'x'], {})
    assert.equal(code, 2)
    assert.match(err, /^--make-map only drafts a map: leave out --map\./)
  })

  it('refuses a file whose columns it does not know', async () => {
    const file = join(folder, 'export.csv')
    await writeFile(file, 'Foo,Bar\n1,2\n')
    const { code, err } = await muster(['sync', '--make-map', file], {})
    assert.deepEqual(
      [code, err],
      [1, 'No column of export.csv is known in the first 20 lines: name the resource, or write the map by hand.\n'],
    )
  })
})
