import type { PersonKind } from '@muster/model'
import { personKinds, resourceAt } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { ErasedRecords, Erasure } from '../privacy/erase.ts'
import { erasePerson } from '../privacy/erase.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { ownerUrl } from './owner-url.ts'
import { formatCount } from './progress.ts'

export const eraseCommand = command({
  name: 'erase',
  summary: 'Permanently empty all personal fields of one person.',
  details: [
    'An employee and the candidate they were hired as are one person; name either. Their personal fields become null, including those of their leave requests and applications; a required one becomes "withheld". The records stay, so that counts and references remain valid. Search, cached responses, statistics and indexes no longer contain the values, in running services too.',
    'All or nothing, and safe to repeat. Not erased: text about the person in other records, exports, backups and archived database logs. Each emptied record gets a row in the audit log.',
    'Connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL.',
  ],
  arguments: [
    { name: 'kind', about: 'employee or candidate' },
    { name: 'id', about: 'Id of that record' },
  ],
  options: { 'dry-run': { type: 'boolean', about: 'Show what would be emptied, and change nothing' } },
  examples: [
    ['erase candidate 4711 --dry-run', 'See which records contain personal data of this person'],
    ['erase candidate 4711', 'Erase that data'],
  ],
  async run({ values, positionals, env, io }) {
    const kind = parseKind(positionals[0])
    const id = parseId(positionals[1])
    const dryRun = values['dry-run'] ?? false
    const erasure = id.length > maxIdDigits ? undefined : await erasePerson(ownerUrl(env), { kind, id, dryRun })
    if (erasure?.erased === undefined) throw new OperatorError(`There is no ${titleOf(kind)} ${id}.`)
    io.stdout.write(formatReport(erasure.erased, `${titleOf(kind)} ${id}`, dryRun))
    for (const line of formatHints(erasure)) io.stdout.write(`${line}\n`)
    return exitCodes.success
  },
})

const titleOf = (kind: PersonKind): string => resourceAt(kind).title

const parseKind = (word: string | undefined): PersonKind => {
  const kind = personKinds.find((candidate) => titleOf(candidate) === word)
  if (kind === undefined)
    throw new UsageError(
      `Name the person to erase: ${personKinds.map((personKind) => `muster erase ${titleOf(personKind)} ID`).join(', or ')}.`,
    )
  return kind
}

const parseId = (word: string | undefined): string => {
  if (word === undefined || !/^[1-9]\d*$/.test(word))
    throw new UsageError(`The id must be a whole number${word === undefined ? '' : `, not "${word}"`}.`)
  return word
}

/** Longer numbers are no ids, and may be larger than the numbers of PostgreSQL. */
const maxIdDigits = 16

const formatReport = (erased: readonly ErasedRecords[], person: string, dryRun: boolean): string => {
  const lines = erased.map(
    ({ resource, fields, ids }) =>
      `${resource.path.padEnd(14)}${formatCount(ids.length, 'record', 'records').padEnd(14)}${fields.map(({ name }) => name).join(', ')}\n`,
  )
  const total = erased.reduce((sum, { ids }) => sum + ids.length, 0)
  if (total === 0) return `No personal data of ${person} is left.\n`
  const closingSentence = dryRun
    ? `${formatCount(total, 'record', 'records')} of ${person} would be emptied. Nothing was changed.`
    : `${formatCount(total, 'record', 'records')} of ${person} emptied.`
  return `${lines.join('')}${closingSentence}\n`
}

const formatHints = ({ sameEmail }: Erasure): string[] =>
  sameEmail.map(
    ({ kind, id }) =>
      `The same e-mail address belongs to ${titleOf(kind)} ${id}: erase that record too if it is the same person.`,
  )
