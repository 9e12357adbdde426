/** In charge of making a typed client from a description with a public generator, as an integrator would. */
import { registerHooks } from 'node:module'

/** The generator works on the compiler's own interface, which TypeScript 7 does not have: it is handed TypeScript 6. */
const compiler = import.meta.resolve('typescript-6')
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? compiler : specifier, context),
})

const [description, folder] = process.argv.slice(2)
if (description === undefined || folder === undefined) {
  console.error('Say what to read and where to write: node fuzz/client/generate.ts <description> <folder>')
  process.exit(2)
}
const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: description,
  output: { path: folder, importFileExtension: '.ts' },
  logs: { level: 'silent' },
})
