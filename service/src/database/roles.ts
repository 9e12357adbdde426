/** In charge of who may do what in the database: the three roles, the statements that make them, and the rights of each. */
import { resources } from '@muster/model'
import { scramVerifier } from './scram.ts'
import { literal, quoted } from './statement.ts'

export interface Login {
  readonly role: string
  readonly password: string
  readonly database: string
}

export interface Logins {
  /** Owns the tables: migrates, imports and erases. */
  readonly owner: Login
  /** Reads and adds: what a create needs. */
  readonly writer: Login
  /** Reads. */
  readonly reader: Login
}

export const loginOf = (url: string): Login => {
  const { username, password, pathname } = new URL(url)
  return {
    role: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** The longest that a statement of a request may take. */
export const statementMs = 7_000

/** Nobody waits long for another's lock, and no session of ours that lost its way holds one. */
export const limits = (ofStatementMs: number): Readonly<Record<string, string>> => ({
  statement_timeout: `${ofStatementMs}ms`,
  lock_timeout: '2000ms',
  idle_in_transaction_session_timeout: '5000ms',
})

/**
 * Time limits are set on the two that serve and nowhere else: a pooler passes no start-up options on, and other users of
 * the server keep their own.
 * Makes the roles, or brings those that are there into line; for an administrator, in the database itself.
 * The rights on the tables are not here: the owner grants them whenever it migrates.
 */
export const rolesSql = ({ owner, writer, reader }: Logins): string => {
  const { database } = owner
  const names = [owner, writer, reader].map(({ role }) => literal(role)).join(', ')
  const served = (login: Login, settings: Readonly<Record<string, string>>): string[] => [
    ...made(login),
    // The role may have altered its own settings.
    `alter role ${quoted(login.role)} reset all;`,
    `alter role ${quoted(login.role)} in database ${quoted(database)} reset all;`,
    ...Object.entries(settings).map(
      ([name, value]) => `alter role ${quoted(login.role)} set ${name} = ${literal(value)};`,
    ),
  ]
  return `${[
    'begin;',
    'do $$ begin',
    `  if current_database() <> ${literal(database)} then`,
    `    raise exception 'This is for the database %, and not for %.', ${literal(database)}, current_database();`,
    '  end if;',
    `  if exists (select from pg_roles where rolname in (${names}) and rolsuper) then`,
    "    raise exception 'One of the roles is a superuser: choose another name for it.';",
    '  end if;',
    'end $$;',
    ...made(owner),
    ...served(writer, limits(statementMs)),
    ...served(reader, { ...limits(statementMs), default_transaction_read_only: 'on' }),
    `alter database ${quoted(database)} owner to ${quoted(owner.role)};`,
    `revoke temporary on database ${quoted(database)} from public;`,
    'revoke create on schema public from public;',
    // Else whoever may log in could fill the disk with objects that belong to no table.
    'revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public;',
    `grant create on schema public to ${quoted(owner.role)};`,
    'commit;',
  ].join('\n')}\n`
}

const made = ({ role, password }: Login): string[] => [
  `do $$ begin if not exists (select from pg_roles where rolname = ${literal(role)}) then create role ${quoted(role)}; end if; end $$;`,
  `alter role ${quoted(role)} with login nocreatedb nocreaterole${password === '' ? '' : ` password ${literal(scramVerifier(role, password))}`};`,
]

export interface Right {
  readonly privilege: 'select' | 'insert' | 'usage' | 'execute'
  /** A table, a sequence, or the signature of a function. */
  readonly on: string
  /** Where the right does not hold for the whole table. */
  readonly columns?: readonly string[]
}

/** What answers are read from beside the resources themselves. */
const books = [
  'muster_migrations',
  'muster_ledger',
  'muster_journal',
  'muster_blocks',
  'muster_shifts',
  'muster_era',
  'muster_epoch',
]

export const readerRights: readonly Right[] = [...resources.map(({ table }) => table), ...books].map((on) => ({
  privilege: 'select',
  on,
}))

/** What a create may not set stays out of the writer's reach. A create with a key takes its id when it claims the key. */
const adding = resources
  .filter(({ creatable }) => creatable)
  .flatMap(({ table, writable }): Right[] => [
    { privilege: 'insert', on: table, columns: ['id', ...writable.map(({ name }) => name)] },
    { privilege: 'usage', on: `${table}_id_seq` },
  ])

const keys = 'muster_idempotency_keys'
const claiming: readonly Right[] = [
  { privilege: 'select', on: keys },
  { privilege: 'insert', on: keys, columns: ['resource', 'key', 'fingerprint', 'record_id'] },
]

/** Lines are added and never read: neither when nor in what order is the writer's to say. */
const noting: Right = {
  privilege: 'insert',
  on: 'muster_writes',
  columns: ['request_id', 'token', 'route', 'record_id', 'outcome'],
}

/** Upkeep runs with the owner's rights, and does the same whoever calls it. */
export const upkeepRights: readonly Right[] = ['muster_note_era()', 'muster_upkeep()', 'muster_forget_keys()'].map(
  (on) => ({
    privilege: 'execute',
    on,
  }),
)

export const writerRights: readonly Right[] = [...readerRights, ...adding, ...claiming, noting, ...upkeepRights]

export const grantSql = (role: string, { privilege, on, columns }: Right): string =>
  `grant ${privilege}${columns === undefined ? '' : ` (${columns.map(quoted).join(', ')})`} on ${objectOf(privilege, on)} to ${quoted(role)}`

const objectOf = (privilege: Right['privilege'], on: string): string =>
  privilege === 'execute' ? `function public.${on}` : `${privilege === 'usage' ? 'sequence ' : ''}public.${quoted(on)}`

/** True in SQL where the session's role has the right. */
export const heldSql = ({ privilege, on, columns }: Right): string => {
  if (privilege === 'execute') return `has_function_privilege(${literal(`public.${on}`)}, 'execute')`
  const table = literal(`public.${quoted(on)}`)
  if (privilege === 'usage') return `has_sequence_privilege(${table}, 'usage')`
  if (columns === undefined) return `has_table_privilege(${table}, ${literal(privilege)})`
  return columns.map((name) => `has_column_privilege(${table}, ${literal(name)}, ${literal(privilege)})`).join(' and ')
}
