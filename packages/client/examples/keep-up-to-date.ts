/** Keeps a copy of employees and leave in an SQLite file up to date: node keep-up-to-date.ts copy.sqlite */
import { DatabaseSync } from 'node:sqlite'
import { createClient, MusterError } from '@muster/client'

const muster = createClient({
  baseUrl: process.env.MUSTER_URL ?? 'http://127.0.0.1:8080/api',
  token: process.env.MUSTER_READ_TOKEN,
})
const copy = new DatabaseSync(process.argv[2] ?? 'copy.sqlite')
copy.exec(`create table if not exists record (resource text, id integer, json text, primary key (resource, id));
           create table if not exists position (singleton integer primary key, cursor text)`)
const put = copy.prepare('insert or replace into record values (?, ?, ?)')
const remove = copy.prepare('delete from record where resource = ? and id = ?')
const moveTo = copy.prepare('insert or replace into position values (1, ?)')

/** The records with the given ids; all records without ids. */
const readers = {
  employees: (id?: number[]) => muster.employees.each({ id }),
  leave: (id?: number[]) => muster.leave.each({ id }),
}
const resource = Object.keys(readers) as (keyof typeof readers)[]

const copyAll = async (): Promise<string> => {
  // The cursor comes first: what changes during the copy is then read again, and nothing is missed.
  const { value } = await muster.changes().next()
  if (value === undefined) throw new Error('The service returned no cursor.')
  copy.exec('begin; delete from record')
  for (const name of resource)
    for await (const record of readers[name]()) put.run(name, record.id, JSON.stringify(record))
  moveTo.run(value.meta.next)
  copy.exec('commit')
  return value.meta.next
}

const follow = async (after: string): Promise<void> => {
  for await (const { data, meta } of muster.changes({ after, resource })) {
    // The records of a page and its cursor are stored together, so an interrupted run continues where it was.
    copy.exec('begin')
    for (const name of resource) {
      const ids = data.filter((change) => change.resource === name).map(({ id }) => id)
      // A change says which record to read again. A record that is not there any more was deleted.
      for (const id of ids) remove.run(name, id)
      if (ids.length > 0)
        for await (const record of readers[name](ids)) put.run(name, record.id, JSON.stringify(record))
    }
    moveTo.run(meta.next)
    copy.exec('commit')
  }
}

const { cursor } = copy.prepare('select cursor from position').get() ?? {}
try {
  await follow(typeof cursor === 'string' ? cursor : await copyAll())
} catch (error) {
  if (!(error instanceof MusterError && error.code === 'cursor_gone')) throw error
  await follow(await copyAll())
}
console.log(`${copy.prepare('select count(*) as count from record').get()?.count} records`)
