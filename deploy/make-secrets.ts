/** Creates files with random secrets for compose.yaml, in a folder that git ignores. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loginOf, rolesSql } from '../packages/server/src/postgres/schema/roles.ts'
import { scramVerifier } from '../packages/server/src/postgres/schema/scram.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(import.meta.dirname, 'secrets') },
    host: { type: 'string', default: 'primary:5432' },
    standby: { type: 'string', default: 'standby:5432' },
  },
})

const randomHex = (): string => randomBytes(24).toString('hex')
const urlOf = (role: string, database: string): string => `postgres://${role}:${randomHex()}@${values.host}/${database}`

const owner = urlOf('muster_owner', 'muster')
const writer = urlOf('muster_writer', 'muster')
const reader = urlOf('muster_reader', 'muster')
const standby = urlOf('muster_standby', 'replication')
const standbyLogin = loginOf(standby)

const files: Readonly<Record<string, string>> = {
  administrator_password: randomHex(),
  api_token: randomHex(),
  owner_url: owner,
  writer_url: writer,
  reader_url: reader,
  replica_urls: reader.replace(`@${values.host}/`, `@${values.standby}/`),
  standby_url: standby,
  // roles.sql contains SCRAM verifiers, not the passwords themselves.
  'roles.sql': `${rolesSql({ owner: loginOf(owner), writer: loginOf(writer), reader: loginOf(reader) })}
create role ${standbyLogin.role} with login replication password '${scramVerifier(standbyLogin.role, standbyLogin.password)}';
`,
}

// The containers run as users who do not own these files, so the files are world-readable and only their folder is
// private.
await mkdir(values.folder, { recursive: true, mode: 0o700 })
await chmod(values.folder, 0o700)
if ((await readdir(values.folder)).length > 0) {
  console.error(
    `${values.folder} is not empty, and nothing was changed. New passwords would not match those in an existing database. If there is none, remove the folder first.`,
  )
  process.exitCode = 1
} else {
  for (const [name, content] of Object.entries(files))
    await writeFile(join(values.folder, name), `${content}\n`, { mode: 0o644 })
  console.log(`Secrets are in ${values.folder}.`)
}
