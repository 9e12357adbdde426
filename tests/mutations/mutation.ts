/** A deliberate fault: one change in one source file, which a test must detect. */
export interface Mutation {
  /** Path relative to the root of the repository. */
  readonly file: string
  /** The text to replace. It must occur exactly once in the file. */
  readonly from: string
  readonly to: string
}

export const mutate = (text: string, { file, from, to }: Mutation): string => {
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain the mutated text exactly once: ${from}`)
  return text.replace(from, () => to)
}

/**
 * The environment variables with which Node.js applies the mutation when it loads the file, if it starts in the root of the
 * repository. This needs no copy of the sources, but cannot change a file that is not a module, such as a migration.
 */
export const mutationEnv = (mutation: Mutation | undefined): Readonly<Record<string, string>> =>
  mutation === undefined
    ? {}
    : { NODE_OPTIONS: '--import ./tests/mutations/load-mutation.ts', MUTATION: JSON.stringify(mutation) }
