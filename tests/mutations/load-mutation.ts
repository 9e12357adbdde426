/** Loaded with `node --import`: applies the mutation in MUTATION when Node.js loads the mutated file. */
import { registerHooks } from 'node:module'
import type { Mutation } from './mutation.ts'
import { mutate } from './mutation.ts'

const mutation = JSON.parse(process.env.MUTATION ?? '') as Mutation
const mutatedUrl = new URL(`../../${mutation.file}`, import.meta.url).href

registerHooks({
  load(url, context, next) {
    const loadedModule = next(url, context)
    return url === mutatedUrl
      ? { ...loadedModule, source: mutate(String(loadedModule.source), mutation) }
      : loadedModule
  },
})
