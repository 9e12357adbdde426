/** Generates types for openapi-fetch from an OpenAPI document with the public generator openapi-typescript. */
import './use-typescript-6.ts'
import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

const [documentPath, outputFile] = process.argv.slice(2)
if (documentPath === undefined || outputFile === undefined) {
  console.error('Usage: node tests/fuzz/client/generate-types.ts <OpenAPI document> <file>')
  process.exit(2)
}
const { default: openapiTypes, astToString } = await import('openapi-typescript')
// With `defaultNonNullable`, create requests would have to contain every field that has a default.
const nodes = await openapiTypes(pathToFileURL(documentPath), { defaultNonNullable: false })
await writeFile(outputFile, astToString(nodes))
