/** In charge of the command that writes the files under contract/, or checks that they are what the code says. */
import { posix } from 'node:path'
import { parseArgs } from 'node:util'
import { readDatabaseUrl } from '../service/src/config.ts'
import { definitionsFile, definitionsText } from '../service/src/contract/definitions.ts'
import { withDemoDatabase } from '../service/src/contract/demo-database.ts'
import { collectExamples } from '../service/src/contract/exchanges.ts'
import {
  changesSincePublished,
  contractFiles,
  outdatedFiles,
  publish,
  writeFiles,
} from '../service/src/contract/files.ts'
import { OperatorError } from '../service/src/errors.ts'

const usage = 'Usage: generate [--check | --publish].'

const readArguments = () => {
  try {
    return parseArgs({ options: { check: { type: 'boolean' }, publish: { type: 'boolean' } } }).values
  } catch {
    throw new OperatorError(usage)
  }
}

/** What is wrong with the files, in sentences; writes them first unless they are only to be checked. */
const generate = async (): Promise<string[]> => {
  const { check = false, publish: isRelease = false } = readArguments()
  const [examples, definitions] = await withDemoDatabase(readDatabaseUrl(process.env), async (url) => [
    await collectExamples(url),
    await definitionsText(url),
  ])
  const files = new Map([...contractFiles(examples), [definitionsFile, definitions]])
  const pathOf = (name: string): string => posix.join('contract', name)
  if (!check) for (const name of await writeFiles(files)) console.log(`wrote ${pathOf(name)}`)
  const outdated = check ? await outdatedFiles(files) : []
  const breaking = await changesSincePublished(examples)
  if (isRelease && (breaking ?? []).length === 0) {
    await publish(examples)
    return []
  }
  return [
    ...outdated.map((name) => `${pathOf(name)} is out of date: run "npm run generate" and commit it.`),
    ...(breaking?.map((change) => `This breaks clients of the published interface: ${change}.`) ?? [unpublished]),
  ]
}

const unpublished = 'contract/published.json is missing: run "npm run generate -- --publish" and commit it.'

try {
  const complaints = await generate()
  for (const complaint of complaints) console.error(complaint)
  if (complaints.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exitCode = 1
}
