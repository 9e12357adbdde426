/** Generates a typed client from an OpenAPI document with the public generator @hey-api/openapi-ts. */
import './use-typescript-6.ts'

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
