import { hash, randomBytes } from 'node:crypto'
import { parseAccessFile, readAccessFile } from '../config/access-file.ts'
import type { Environment } from '../config/read-setting.ts'
import { isSet } from '../config/read-setting.ts'
import { OperatorError } from '../errors.ts'
import type { NamedToken } from '../http/access/callers.ts'
import type { ExitCode, Io, Values } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'

const options = {
  name: { type: 'string', value: 'NAME', about: 'With new: the name in the log, the metrics and the audit log' },
  read: {
    type: 'string',
    value: 'NAMES',
    about: 'With new: "all", or resources and reports that the token may read, separated by commas',
  },
  personal: { type: 'boolean', about: 'With new: show personal fields' },
  create: { type: 'string', value: 'NAMES', about: 'With new: resources of which the token may create records' },
  expires: { type: 'string', value: 'DAY', about: 'With new: the last day, in UTC, on which the token is valid' },
} as const

export const tokenCommand = command({
  name: 'token',
  summary: 'Make a named token, or show what the named tokens may do.',
  details: [
    '"token new" prints a random token, which is stored nowhere, and the entry to add to the JSON array in the file MUSTER_ACCESS_FILE, which has only its digest.',
    '"token check" checks this file, and prints what each token may do. A running service reloads the file when it changes; an invalid file is not used, and the previous one stays in force. See docs/access.md.',
  ],
  usage: ['token new --name NAME [options]', 'token check'],
  arguments: [{ name: 'action', about: 'new or check' }],
  options,
  examples: [
    ['token new --name leave-app --create leave --read employees,leave', 'A token for one application'],
    ['token check', 'See what the file allows'],
  ],
  async run({ values, positionals: [action], env, io }) {
    if (action === 'new') return printNewToken(values, io)
    if (action !== 'check')
      throw new UsageError(
        action === undefined
          ? 'Name the action: muster token new or muster token check.'
          : `There is no action "${action}": it is new or check.`,
      )
    const [option] = Object.keys(values)
    if (option !== undefined) throw new UsageError(`--${option} belongs to muster token new.`)
    return printRights(env, io)
  },
})

const printNewToken = ({ name, read, personal, create, expires }: Values<typeof options>, io: Io): ExitCode => {
  if (name === undefined) throw new UsageError('Name the token: --name leave-app.')
  if (read === undefined && create === undefined)
    throw new UsageError('Say what the token may do: --read employees,leave or --create leave.')
  const token = randomBytes(32).toString('hex')
  const entry = JSON.stringify({
    name,
    sha256: hash('sha256', token),
    ...(read === undefined ? {} : { read: read === 'all' ? read : namesIn(read) }),
    ...(personal === true ? { personal } : {}),
    ...(create === undefined ? {} : { create: namesIn(create) }),
    ...(expires === undefined ? {} : { expires }),
  })
  parseAccessFile(`[${entry}]`, 'The entry')
  io.stdout.write(
    `The token, which is shown only now:\n${token}\n\nIts entry for the array in MUSTER_ACCESS_FILE:\n${entry}\n`,
  )
  return exitCodes.success
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const headings = ['NAME', 'READ', 'PERSONAL', 'CREATE', 'EXPIRES'] as const

const printRights = (env: Environment, io: Io): ExitCode => {
  if (!isSet(env, 'MUSTER_ACCESS_FILE'))
    throw new OperatorError('MUSTER_ACCESS_FILE is not set: set it to the JSON file that lists the tokens.')
  const today = new Date().toISOString().slice(0, 10)
  const rows = [headings, ...readAccessFile(env).map((token) => cellsOf(token, today))]
  const widths = headings.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of rows)
    io.stdout.write(
      `${cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  return exitCodes.success
}

const cellsOf = ({ name, read, personal, create, expires }: NamedToken, today: string): readonly string[] => [
  name,
  read === 'all' ? read : listOf(read),
  personal ? 'yes' : 'no',
  listOf(create),
  expires === undefined ? 'never' : expires < today ? `${expires}, expired` : expires,
]

const listOf = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(','))
