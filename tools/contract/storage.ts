/**
 * Compares the declarations with the description of the tables in the last commit, and writes the next migration. A migration
 * that is not committed yet is written again.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Resource, Storage } from '@muster/model'
import { generatedMark, storageMigration, storageOf } from '@muster/model'
import { OperatorError } from '../../packages/server/src/errors.ts'

const migrationsFolder = 'packages/server/migrations'
const descriptionFile = 'packages/model/contract/storage.json'

export const storageText = (resources: readonly Resource[]): string =>
  `${JSON.stringify(storageOf(resources), null, 2)}\n`

const committed = (root: URL): { readonly storage: Storage; readonly migrations: readonly string[] } => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: fileURLToPath(root), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    return {
      storage: JSON.parse(git('show', `HEAD:${descriptionFile}`)) as Storage,
      migrations: git('ls-tree', '--name-only', `HEAD:${migrationsFolder}`).split('\n').filter(isMigration),
    }
  } catch (error) {
    throw new OperatorError('Migrations are written from the git history: run this in a clone.', { cause: error })
  }
}

const isMigration = (name: string): boolean => name.endsWith('.sql')

/** The line by which a migration is recognized, with a hash that shows whether somebody edited the file. */
const signed = (sql: string): string =>
  sql.replace(generatedMark, `${generatedMark} Hash: ${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`)

const isEdited = (text: string): boolean =>
  signed(text.replace(/^(-- Written by .*) Hash: [0-9a-f]{16}$/m, (_, mark: string) => mark)) !== text

/** The tables that a migration by hand changes, from its line `-- covers: employees, leave_requests`. */
const coveredTables = (text: string): string[] =>
  [...text.matchAll(/^-- covers:(.*)$/gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )

/**
 * Returns the paths of the files that were written. Throws, and changes no file, if a change of the declarations is not safe,
 * or if a migration that was written by an earlier run was edited. New migrations by hand say which tables they cover: the
 * tests compare the resulting tables with the declarations.
 */
export const writeNextMigration = (
  resources: readonly Resource[],
  root: URL = new URL('../../', import.meta.url),
): string[] => {
  const { storage: before, migrations } = committed(root)
  const fileOf = (name: string) => new URL(`${migrationsFolder}/${name}`, root)
  const uncommitted = readdirSync(new URL(migrationsFolder, root))
    .filter((name) => isMigration(name) && !migrations.includes(name))
    .map((name) => ({ name, text: readFileSync(fileOf(name), 'utf8') }))
  const drafts = uncommitted.filter(({ text }) => text.includes(generatedMark))
  const byHand = uncommitted.filter(({ text }) => !text.includes(generatedMark))
  const after = storageOf(resources)
  const errors = [
    ...drafts.filter(({ text }) => isEdited(text)).map(({ name }) => editedSentence(name)),
    ...byHand.flatMap(({ name, text }) =>
      coveredTables(text)
        .filter((table) => !(table in before) && !(table in after))
        .map((table) => `${migrationsFolder}/${name} covers ${table}, which is no table.`),
    ),
  ]
  const covered = byHand.flatMap(({ text }) => coveredTables(text))
  const change = storageMigration(withTables(before, covered, after), after)
  if (change.kind === 'refused') errors.push(...change.sentences)
  if (errors.length > 0) throw new OperatorError(errors.join('\n'))
  const next =
    change.kind === 'migration'
      ? {
          name: `${nextNumber(migrations, byHand)}-${change.migration.name}.sql`,
          text: signed(change.migration.sql),
        }
      : undefined
  const isCurrent = drafts.some(({ name, text }) => name === next?.name && text === next.text)
  for (const { name } of drafts) if (name !== next?.name) rmSync(fileOf(name))
  if (next === undefined || isCurrent) return []
  writeFileSync(fileOf(next.name), next.text)
  return [`${migrationsFolder}/${next.name}`]
}

const editedSentence = (name: string): string =>
  `${migrationsFolder}/${name} was edited after "npm run generate" wrote it. Delete it, or make it a migration by hand: replace its line "-- Written by" with "-- covers:" and the tables that it changes (docs/adding-a-resource.md).`

/** The description before, with some tables as they are after. */
const withTables = (before: Storage, tables: readonly string[], after: Storage): Storage =>
  Object.fromEntries([
    ...Object.entries(before).filter(([table]) => !tables.includes(table)),
    ...Object.entries(after).filter(([table]) => tables.includes(table)),
  ])

/** A migration by hand can precede the generated one or follow it: it keeps its number. */
const nextNumber = (migrations: readonly string[], byHand: readonly { readonly name: string }[]): string => {
  const numberOf = (name: string): number => Number(name.slice(0, 4))
  const taken = byHand.map(({ name }) => numberOf(name))
  let number = Math.max(0, ...migrations.map(numberOf)) + 1
  while (taken.includes(number)) number += 1
  return String(number).padStart(4, '0')
}
