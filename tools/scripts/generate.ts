/** Writes the generated files and the next migration, or checks that the files are up to date. */
import { relative } from 'node:path'
import { DeclarationError } from '../../packages/model/src/schema/declaration-error.ts'

/** Where a declaration cannot even be evaluated, such as `packages/model/src/resources/leave.ts:17`. */
const placeIn = ({ stack = '' }: Error): string | undefined => {
  const [, file, line] = /file:\/\/(\S*\/packages\/model\/src\/resources\/[\w-]+\.ts):(\d+)/.exec(stack) ?? []
  return file === undefined ? undefined : `${relative('', file)}:${line}`
}

/** One sentence for a mistake in a declaration; the stack trace of any other error, which is a bug. */
const describe = (error: unknown): unknown => {
  if (error instanceof DeclarationError) return `A declaration is wrong: ${error.message}`
  if (!(error instanceof Error)) return error
  const place = placeIn(error)
  return place === undefined ? error : `A declaration is wrong: ${place}: ${error.message}`
}

try {
  // The declarations are checked when they are loaded.
  const { generate } = await import('../contract/generated-files.ts')
  const errors = await generate()
  for (const error of errors) console.error(error)
  if (errors.length > 0) process.exitCode = 1
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}
