/**
 * Makes `import 'typescript'` resolve to version 6. Generators need the compiler API, which TypeScript 7 lacks.
 */
import { registerHooks } from 'node:module'

const typescript6Url = import.meta.resolve('typescript-6')
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript6Url : specifier, context),
})
