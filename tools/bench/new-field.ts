/**
 * Measures how long the migration for a new field takes, in seconds per million rows: with and without a filter, while
 * nothing else uses the table.
 *
 *   DATABASE_URL=… node tools/bench/new-field.ts
 */
import { randomBytes } from 'node:crypto'
import type { Field } from '@muster/model'
import { name, resource, resourceAt, resources, storageMigration, storageOf, text } from '@muster/model'
import { Client } from 'pg'
import { migrate, readMigrationFiles } from '../../packages/server/src/postgres/schema/migrate.ts'
import { runBench, superuser } from './command.ts'

const million = 1_000_000

/** Rows of the usual size for each table. */
const inserts: Readonly<Record<string, string>> = {
  attendance: `insert into attendance (employee_id, att_date, status, hours)
    select 1 + g % 1000, date '2020-01-01' + g / 1000, case when g % 20 = 0 then 'on_leave' else 'present' end, 8
    from generate_series(1, ${million}) g`,
  employees: `insert into employees (code, first_name, last_name, email, designation, branch, status, date_of_joining, gender,
      base_salary, employment_type)
    select 'E' || g, 'Given' || g % 977, 'Family' || g % 1999, 'p' || g || '@example.com', 'Backend Engineer', 'Berlin', 'active',
      date '2020-01-01' + g % 2000, 'f', 50000 + g % 1000, 'full_time' from generate_series(1, ${million}) g`,
}

const fields: Readonly<Record<string, Field>> = {
  'an optional text': text('Remark.'),
  'an optional text with a filter': name('Cost center.', { filter: true }),
}

const migrationSql = (path: string, field: Field): string => {
  const declared = resourceAt(path)
  const extended = resource({ ...declared, fields: { ...declared.fields, new_field: field } })
  const change = storageMigration(
    storageOf(resources),
    storageOf(resources.map((each) => (each.path === path ? extended : each))),
  )
  if (change.kind !== 'migration') throw new Error(`A new field of ${path} needs no migration that could be measured.`)
  return change.migration.sql
}

const measure = async (admin: Client, serverUrl: string, path: string, title: string, field: Field): Promise<void> => {
  const database = `bench_new_field_${randomBytes(4).toString('hex')}`
  const url = Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href
  await admin.query(`create database ${database} template template0 encoding 'UTF8'`)
  try {
    await migrate(url)
    const client = new Client({ connectionString: url })
    await client.connect()
    if (path === 'attendance')
      await client.query("insert into employees (status) select 'active' from generate_series(1, 1000)")
    await client.query(inserts[path] ?? '')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    await client.end()
    const files = await readMigrationFiles()
    const startedAt = performance.now()
    await migrate(url, {
      files: [...files, { name: '9999-new-field.sql', sql: migrationSql(path, field), sha256: 'sum' }],
    })
    const seconds = (performance.now() - startedAt) / 1_000
    console.log(`${path}: ${title}: ${seconds.toFixed(0)} s per million rows`)
  } finally {
    await admin.query(`drop database ${database} with (force)`)
  }
}

const run = async (serverUrl: string): Promise<void> => {
  const admin = new Client({ connectionString: serverUrl })
  await admin.connect()
  try {
    for (const path of Object.keys(inserts))
      for (const [title, field] of Object.entries(fields)) await measure(admin, serverUrl, path, title, field)
  } finally {
    await admin.end()
  }
}

await runBench(superuser, run)
