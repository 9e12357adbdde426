/** Generates a typed client from an OpenAPI document with the public generator @hey-api/openapi-ts. */
import { registerHooks } from 'node:module'

/**
 * The generator needs the compiler API, which TypeScript 7 lacks, so its import of TypeScript resolves to version 6.
 */
const typescript6Url = import.meta.resolve('typescript-6')
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript6Url : specifier, context),
})

const [documentPath, outputFolder] = process.argv.slice(2)
if (documentPath === undefined || outputFolder === undefined) {
  console.error('Usage: node tests/fuzz/client/generate.ts <OpenAPI document> <folder>')
  process.exit(2)
}
const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: documentPath,
  output: { path: outputFolder, importFileExtension: '.ts' },
  logs: { level: 'silent' },
})
