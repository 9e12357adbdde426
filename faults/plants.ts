/** In charge of the changes to the sources that controls run with: each takes away what keeps one promise. */

export interface Plant {
  /** Path from the root of the project. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly from: string
  readonly to: string
}

export const plants = {
  /** Answers from memory are sent without asking whether they are still true. */
  uncheckedAnswers: {
    file: 'service/src/http/fresh-answers.ts',
    from: 'use(versions.of(kept.resource.table) === kept.version ? kept : undefined)',
    to: 'use(kept)',
  },
} satisfies Record<string, Plant>

export const plantIn = (text: string, { file, from, to }: Plant): string => {
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold the planting place once: ${from}`)
  return text.replace(from, () => to)
}
