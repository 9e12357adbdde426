/** In charge of the secrets of compose.yaml: made at random, once, into files that no repository knows of. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loginOf, rolesSql } from '../service/src/database/roles.ts'
import { scramVerifier } from '../service/src/database/scram.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(import.meta.dirname, 'secrets') },
    host: { type: 'string', default: 'primary:5432' },
    standby: { type: 'string', default: 'standby:5432' },
  },
})

const random = (): string => randomBytes(24).toString('hex')
const address = (role: string, database: string): string => `postgres://${role}:${random()}@${values.host}/${database}`

const owner = address('muster_owner', 'muster')
const writer = address('muster_writer', 'muster')
const reader = address('muster_reader', 'muster')
const standby = address('muster_standby', 'replication')
const standbyLogin = loginOf(standby)

const files: Readonly<Record<string, string>> = {
  administrator_password: random(),
  api_token: random(),
  owner_url: owner,
  writer_url: writer,
  reader_url: reader,
  replica_urls: reader.replace(`@${values.host}/`, `@${values.standby}/`),
  standby_url: standby,
  // Passwords stand in it as PostgreSQL keeps them.
  'roles.sql': `${rolesSql({ owner: loginOf(owner), writer: loginOf(writer), reader: loginOf(reader) })}
create role ${standbyLogin.role} with login replication password '${scramVerifier(standbyLogin.role, standbyLogin.password)}';
`,
}

// Accounts in containers are others than ours: they may read the files that are given to them, and nobody here finds the way.
await mkdir(values.folder, { recursive: true, mode: 0o700 })
await chmod(values.folder, 0o700)
for (const [name, content] of Object.entries(files)) {
  // What is there is kept: a password that changes here does not change in the database.
  await writeFile(join(values.folder, name), `${content}\n`, { mode: 0o644, flag: 'wx' })
}
console.log(`Secrets are in ${values.folder}.`)
