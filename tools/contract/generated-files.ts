import { posix } from 'node:path'
import { parseArgs } from 'node:util'
import { listedResources, reports } from '@muster/model'
import { readDatabaseUrl } from '../../packages/server/src/config/database-url.ts'
import { OperatorError } from '../../packages/server/src/errors.ts'
import { clientFiles } from './client-types.ts'
import { definitionsFile, definitionsText } from './definitions.ts'
import { withDemoDatabase } from './demo-database.ts'
import { documentFiles } from './documents.ts'
import { collectExamples } from './exchanges.ts'
import { changesSincePublished, contractFiles, outdatedFiles, publish, writeFiles } from './files.ts'
import { writeNextMigration } from './storage.ts'

const usage = 'Usage: generate [--check | --publish].'

const readArguments = () => {
  try {
    return parseArgs({ options: { check: { type: 'boolean' }, publish: { type: 'boolean' } } }).values
  } catch {
    throw new OperatorError(usage)
  }
}

/**
 * Writes the generated files, or only compares them if `--check` is given. Returns an error message for each problem.
 */
export const generate = async (): Promise<string[]> => {
  try {
    return await updateFiles()
  } catch (error) {
    if (error instanceof OperatorError) return [error.message]
    throw error
  }
}

const updateFiles = async (): Promise<string[]> => {
  const { check = false, publish: shouldPublish = false } = readArguments()
  // Before the database is made, which has the migration then.
  if (!check) for (const path of writeNextMigration(listedResources)) console.log(`wrote ${path}`)
  const [examples, definitions] = await withDemoDatabase(readDatabaseUrl(process.env), async (url) => [
    await collectExamples(url),
    await definitionsText(url),
  ])
  const files = new Map([
    ...contractFiles(examples),
    [definitionsFile, definitions],
    ...clientFiles(listedResources, reports),
    ...(await documentFiles()),
  ])
  const pathOf = (name: string): string => posix.join('packages', 'model', 'contract', name)
  if (!check) for (const name of await writeFiles(files)) console.log(`wrote ${pathOf(name)}`)
  const outdated = check ? await outdatedFiles(files) : []
  const breaking = await changesSincePublished(examples)
  if (shouldPublish && (breaking ?? []).length === 0) {
    await publish(examples)
    return []
  }
  return [
    ...outdated.map((name) => `${pathOf(name)} is out of date: run "npm run generate" and commit it.`),
    ...(breaking?.map((change) => `This breaks clients of the published API: ${change}.`) ?? [unpublished]),
  ]
}

const unpublished =
  'packages/model/contract/published.json is missing: run "npm run generate -- --publish" and commit it.'
