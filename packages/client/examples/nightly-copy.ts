// Copies all employees and applications to files of one JSON object per line.
// If a run fails, the copies of the last successful run are kept.
import { rename, writeFile } from 'node:fs/promises'
import { createClient } from '@muster/client'

const { MUSTER_URL = 'http://127.0.0.1:8080/api', MUSTER_READ_TOKEN: token, FOLDER = '.' } = process.env
const muster = createClient({ baseUrl: MUSTER_URL, token })
const copies = { employees: muster.employees.each(), applications: muster.applications.each() }
async function* lines(records: AsyncIterable<object>) {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}
for (const [name, records] of Object.entries(copies)) {
  await writeFile(`${FOLDER}/${name}.part`, lines(records))
  await rename(`${FOLDER}/${name}.part`, `${FOLDER}/${name}.ndjson`)
}
