/** The database roles: the SQL that creates them, and the permissions of each. */
import { listedResources, resources } from '@muster/model'
import { quoteIdentifier, quoteLiteral } from '../sql/statement.ts'
import { biSchema } from './bi-views.ts'
import { scramVerifier } from './scram.ts'

export interface Login {
  readonly role: string
  readonly password: string
  readonly database: string
}

export interface Logins {
  /** Owns the tables: migrates, imports and erases. */
  readonly owner: Login
  /** Reads records, and inserts the rows that a create needs. */
  readonly writer: Login
  /** Reads records, and writes nothing. */
  readonly reader: Login
  /** Reads the views for BI tools, and nothing else. Optional. */
  readonly analyst?: Login
}

export const loginOf = (url: string): Login => {
  const { username, password, pathname } = new URL(url)
  return {
    role: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** Time limit of a request's statement on the server. */
export const statementMs = 7_000

/** Also limits how long the statement waits for a lock, and how long an abandoned transaction holds one. */
export const timeoutSettings = (timeoutMs: number): Readonly<Record<string, string>> => ({
  statement_timeout: `${timeoutMs}ms`,
  lock_timeout: '2000ms',
  idle_in_transaction_session_timeout: '5000ms',
})

export const readOnlySetting = { default_transaction_read_only: 'on' }

/**
 * Limits against mistakes: a role can change its own settings. BI tools find the views without a schema name, and
 * Grafana lists only the tables of the search path.
 */
export const analystSettings: Readonly<Record<string, string>> = {
  ...timeoutSettings(60_000),
  idle_in_transaction_session_timeout: '60000ms',
  ...readOnlySetting,
  search_path: biSchema,
}

/**
 * SQL that creates or updates the roles; an administrator runs it in the database of the service. Permissions on
 * tables are not included: the owner grants them with every migration.
 *
 * Time limits are set on the writer and the reader, because a transaction pooler does not pass on start-up options.
 * Other roles on the same server keep their own time limits.
 */
export const rolesSql = ({ owner, writer, reader, analyst }: Logins): string => {
  const { database } = owner
  const logins = [owner, writer, reader, ...(analyst === undefined ? [] : [analyst])]
  const roleNames = logins.map(({ role }) => quoteLiteral(role)).join(', ')
  const createLimitedRole = (login: Login, settings: Readonly<Record<string, string>>): string[] => [
    ...createRole(login),
    // Removes settings that the role has made for itself.
    `alter role ${quoteIdentifier(login.role)} reset all;`,
    `alter role ${quoteIdentifier(login.role)} in database ${quoteIdentifier(database)} reset all;`,
    ...Object.entries(settings).map(
      ([name, value]) => `alter role ${quoteIdentifier(login.role)} set ${name} = ${quoteLiteral(value)};`,
    ),
  ]
  return `${[
    'begin;',
    'do $$ begin',
    `  if current_database() <> ${quoteLiteral(database)} then`,
    `    raise exception 'This is for the database %, and not for %.', ${quoteLiteral(database)}, current_database();`,
    '  end if;',
    `  if exists (select from pg_roles where rolname in (${roleNames}) and rolsuper) then`,
    "    raise exception 'One of the roles is a superuser: choose another name for it.';",
    '  end if;',
    'end $$;',
    ...createRole(owner),
    ...createLimitedRole(writer, timeoutSettings(statementMs)),
    ...createLimitedRole(reader, { ...timeoutSettings(statementMs), ...readOnlySetting }),
    `alter database ${quoteIdentifier(database)} owner to ${quoteIdentifier(owner.role)};`,
    `revoke temporary on database ${quoteIdentifier(database)} from public;`,
    'revoke create on schema public from public;',
    // Without this, any role that can log in could fill the disk with large objects.
    'revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public;',
    `grant create on schema public to ${quoteIdentifier(owner.role)};`,
    ...(analyst === undefined
      ? []
      : [
          ...createLimitedRole(analyst, analystSettings),
          ...analystPermissions(analyst.role, { owner: owner.role, serving: [writer.role, reader.role] }),
        ]),
    'commit;',
  ].join('\n')}\n`
}

/**
 * Without "usage" on the schema public, the analyst can name no table and no function in it. All views of the schema are
 * for the analyst, so default privileges cover those that later releases add.
 */
const analystPermissions = (
  analyst: string,
  { owner, serving }: { readonly owner: string; readonly serving: readonly string[] },
): string[] => [
  `grant usage on schema public to ${[owner, ...serving].map(quoteIdentifier).join(', ')};`,
  'revoke usage on schema public from public;',
  `create schema if not exists ${biSchema} authorization ${quoteIdentifier(owner)};`,
  `grant usage on schema ${biSchema} to ${quoteIdentifier(analyst)};`,
  `grant select on all tables in schema ${biSchema} to ${quoteIdentifier(analyst)};`,
  `alter default privileges for role ${quoteIdentifier(owner)} in schema ${biSchema} grant select on tables to ${quoteIdentifier(analyst)};`,
]

const createRole = ({ role, password }: Login): string[] => [
  `do $$ begin if not exists (select from pg_roles where rolname = ${quoteLiteral(role)}) then create role ${quoteIdentifier(role)}; end if; end $$;`,
  `alter role ${quoteIdentifier(role)} with login nocreatedb nocreaterole${password === '' ? '' : ` password ${quoteLiteral(scramVerifier(role, password))}`};`,
]

export interface Permission {
  readonly privilege: 'select' | 'insert' | 'update' | 'usage' | 'execute'
  /** A table, a sequence, or the signature of a function. */
  readonly on: string
  /** All columns if undefined. */
  readonly columns?: readonly string[]
}

/** Tables besides those of the resources that the statements of reads use. */
const internalTables = [
  'muster_migrations',
  'muster_table_versions',
  'muster_count_deltas',
  'muster_count_buckets',
  'muster_primary_epoch',
  'muster_epoch',
  'muster_changes',
  'muster_last_pruned_change',
  'muster_server_starts',
  'muster_history_from',
]

export const readerPermissions: readonly Permission[] = [
  ...listedResources.map(({ table }) => table),
  ...internalTables,
].map((on) => ({
  privilege: 'select',
  on,
}))

/**
 * Only the columns that a create can set. They include `id`, because a create with an idempotency key reserves its id
 * when it claims the key.
 */
const createPermissions = resources
  .filter(({ creatable }) => creatable)
  .flatMap(({ table, writableFields: writable }): Permission[] => [
    { privilege: 'insert', on: table, columns: ['id', ...writable.map(({ name }) => name)] },
    { privilege: 'usage', on: `${table}_id_seq` },
  ])

const idempotencyTable = 'muster_idempotency_keys'
const idempotencyPermissions: readonly Permission[] = [
  { privilege: 'select', on: idempotencyTable },
  { privilege: 'insert', on: idempotencyTable, columns: ['resource', 'key', 'fingerprint', 'record_id'] },
]

/** The writer can only insert entries into the audit log, and cannot set their time or order. */
const auditPermission: Permission = {
  privilege: 'insert',
  on: 'muster_audit_log',
  columns: ['request_id', 'token', 'route', 'record_id', 'outcome'],
}

/** `muster webhooks` connects as the writer. */
const webhooksTable = 'muster_webhooks'
const webhookStateColumns = [
  'status',
  'cursor',
  'server_start',
  'message_id',
  'message_body',
  'message_cursor',
  'attempts',
  'next_attempt_at',
  'last_error',
]
const webhookPermissions: readonly Permission[] = [
  { privilege: 'select', on: webhooksTable },
  { privilege: 'insert', on: webhooksTable, columns: ['name', ...webhookStateColumns] },
  { privilege: 'update', on: webhooksTable, columns: [...webhookStateColumns, 'revision'] },
]

/** These functions run with the owner's permissions (security definer). */
export const maintenancePermissions: readonly Permission[] = [
  'muster_record_epoch()',
  'muster_maintain()',
  'muster_prune_keys()',
  'muster_prune_changes(integer)',
].map((on) => ({
  privilege: 'execute',
  on,
}))

export const writerPermissions: readonly Permission[] = [
  ...readerPermissions,
  ...createPermissions,
  ...idempotencyPermissions,
  auditPermission,
  ...webhookPermissions,
  ...maintenancePermissions,
]

export const grantSql = (role: string, { privilege, on, columns }: Permission): string =>
  `grant ${privilege}${columns === undefined ? '' : ` (${columns.map(quoteIdentifier).join(', ')})`} on ${objectOf(privilege, on)} to ${quoteIdentifier(role)}`

const objectOf = (privilege: Permission['privilege'], on: string): string =>
  privilege === 'execute'
    ? `function public.${on}`
    : `${privilege === 'usage' ? 'sequence ' : ''}public.${quoteIdentifier(on)}`

/** SQL that is true if the session's role has the permission. */
export const hasPermissionSql = ({ privilege, on, columns }: Permission): string => {
  if (privilege === 'execute') return `has_function_privilege(${quoteLiteral(`public.${on}`)}, 'execute')`
  const table = quoteLiteral(`public.${quoteIdentifier(on)}`)
  if (privilege === 'usage') return `has_sequence_privilege(${table}, 'usage')`
  if (columns === undefined) return `has_table_privilege(${table}, ${quoteLiteral(privilege)})`
  return columns
    .map((name) => `has_column_privilege(${table}, ${quoteLiteral(name)}, ${quoteLiteral(privilege)})`)
    .join(' and ')
}
