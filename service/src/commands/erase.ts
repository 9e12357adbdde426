/** In charge of the command that erases a person: whom, and what became of which records. */
import { resourceAt } from '@muster/model'
import type { Erased, Erasure, Kind } from '../database/erase.ts'
import { erasePerson, kinds } from '../database/erase.ts'
import { OperatorError } from '../errors.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { ownerUrl } from './owner-url.ts'
import { count } from './progress.ts'

export const eraseCommand = command({
  name: 'erase',
  summary: 'Empty every personal field of one person, for good.',
  details: [
    'An employee and the candidate they were hired as are one person, whichever of the two is named. Their personal fields become null, and so do those of their leave requests and applications; the records stay, so that counts and references stay true. What search, answers kept in memory, statistics and indexes know of it goes too, in services that are running as well.',
    'All or nothing, and safe to repeat. Texts about the person in other records, exports, backups and archived logs of the database are not reached. Each record that was emptied has a line in the log of writes.',
    'Connects as DATABASE_MIGRATE_URL where that is set, else as DATABASE_URL.',
  ],
  arguments: [
    { name: 'kind', about: 'employee or candidate' },
    { name: 'id', about: 'The id of that record' },
  ],
  options: { 'dry-run': { type: 'boolean', about: 'Say what would be emptied, and change nothing' } },
  examples: [
    ['erase candidate 4711 --dry-run', 'See which records hold something of this person'],
    ['erase candidate 4711', 'Forget them'],
  ],
  async run({ values, positionals, env, io }) {
    const kind = kindNamed(positionals[0])
    const id = idNamed(positionals[1])
    const dryRun = values['dry-run'] ?? false
    const erasure = await erasePerson(ownerUrl(env), { kind, id, dryRun })
    if (erasure.erased === undefined) throw new OperatorError(`There is no ${wordFor(kind)} ${id}.`)
    io.stdout.write(report(erasure.erased, `${wordFor(kind)} ${id}`, dryRun))
    for (const line of hints(erasure)) io.stdout.write(`${line}\n`)
    return exitCodes.done
  },
})

const wordFor = (kind: Kind): string => resourceAt(kind).title

const kindNamed = (word: string | undefined): Kind => {
  const kind = kinds.find((candidate) => wordFor(candidate) === word)
  if (kind === undefined)
    throw new UsageError(`Say whom to erase: ${kinds.map((each) => `muster erase ${wordFor(each)} ID`).join(', or ')}.`)
  return kind
}

const idNamed = (word: string | undefined): string => {
  if (word === undefined || !/^[1-9]\d{0,17}$/.test(word))
    throw new UsageError(`The id should be a whole number${word === undefined ? '' : `, and is "${word}"`}.`)
  return word
}

const report = (erased: readonly Erased[], whom: string, dryRun: boolean): string => {
  const lines = erased.map(
    ({ resource, fields, ids }) =>
      `${resource.path.padEnd(14)}${count(ids.length, 'record', 'records').padEnd(14)}${fields.join(', ')}\n`,
  )
  const total = erased.reduce((sum, { ids }) => sum + ids.length, 0)
  if (total === 0) return `Nothing personal is left of ${whom}.\n`
  const closing = dryRun
    ? `${count(total, 'record', 'records')} of ${whom} would be emptied. Nothing was changed.`
    : `${count(total, 'record', 'records')} of ${whom} emptied.`
  return `${lines.join('')}${closing}\n`
}

const hints = ({ alike }: Erasure): string[] =>
  alike.map(
    ({ kind, id }) =>
      `The same e-mail address stands with ${wordFor(kind)} ${id}: erase that too, if it is the same person.`,
  )
