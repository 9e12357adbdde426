import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { id, reference, resource, text } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { personCondition } from '../../src/privacy/erase.ts'
import { erasedCondition } from '../../src/privacy/erased-keys.ts'
import { linkedPeople, personLinks } from '../../src/privacy/person-links.ts'

/** A resource of which records refer to several people. */
const panels = (personOf: string): Resource =>
  resource({
    path: 'panels',
    table: 'panels',
    schema: 'Panel',
    operationSingular: 'Panel',
    operationPlural: 'Panels',
    title: 'panel',
    titles: 'panels',
    area: 'Recruiting',
    about: 'Panels of interviewers.',
    naturalKey: ['application_id'],
    personOf,
    fields: {
      id: id(),
      application_id: reference('applications', 'Application.'),
      interviewer_id: reference('employees', 'Employee who interviews.'),
      notes: text('Notes about the candidate.', { personal: true }),
    },
  })

describe('the person whose data a record is', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into candidates (id, status) values (1, 'active'), (2, 'active');
       insert into employees (id, status) values (1, 'active'), (2, 'active');
       insert into job_openings (id, title, headcount, filled, status) values (1, 'Engineer', 1, 0, 'open');
       insert into applications (id, candidate_id, job_id) values (11, 1, 1), (12, 2, 1);
       create table panels (id bigint, application_id bigint, interviewer_id bigint, notes text);
       insert into panels values (101, 11, 2, 'a'), (102, 12, 1, 'b'), (103, null, null, 'c');
       grant select on panels to public`,
    )
  })
  after(() => database.drop())

  const idsWhere = async (condition: string, values: readonly unknown[] = []): Promise<number[]> =>
    (await database.query<{ id: number }>(`select id from panels where ${condition} order by id`, values)).map(
      (row) => row.id,
    )

  it('is the one to whom `personOf` leads, also through another record, and nobody else', async () => {
    const erasedWith = (personOf: string) => {
      const { condition, values } = personCondition(panels(personOf), { employees: ['1'], candidates: ['1'] })
      return idsWhere(condition, values)
    }
    assert.deepEqual(await erasedWith('application_id'), [101])
    assert.deepEqual(await erasedWith('interviewer_id'), [102])
  })

  it('is the same for an erasure, for a refused line and for a restored one', async () => {
    await database.execute(
      `insert into muster_erased_keys (resource, record_id) values ('candidates', 1), ('employees', 1)`,
    )
    for (const [personOf, record, person] of [
      ['application_id', 101, 1],
      ['interviewer_id', 102, 1],
    ] as const) {
      const declared = panels(personOf)
      assert.deepEqual(await idsWhere(erasedCondition(declared, 'panels')), [record])
      const [link] = personLinks(declared)
      assert.ok(link)
      const people = await database.query<Record<string, number>>(
        linkedPeople(link, 'restored', `panels as restored where id = ${record}`),
      )
      assert.deepEqual(people.map(Object.values), [[person]])
    }
  })
})
