/** The TypeScript examples of all documents, as files that can be compiled. */
import { readDocument, repositoryFiles } from './markdown.ts'

export interface ExampleFile {
  readonly name: string
  readonly text: string
}

/** Each example that is marked with `run`, after those of its document that are marked with `setup`. */
export const typescriptExamples = (): readonly ExampleFile[] =>
  repositoryFiles()
    .filter((file) => file.endsWith('.md'))
    .map(readDocument)
    .flatMap(({ path, blocks }) => {
      const examples = blocks.filter(({ language }) => language === 'ts')
      const setup = examples.filter(({ marks }) => marks.includes('setup')).map(({ code }) => code)
      return examples
        .filter(({ marks }) => marks.includes('run'))
        .map(({ line, code }) => ({
          name: `${path.replaceAll('/', '-')}-${line}.mts`,
          text: [...setup, code].join('\n'),
        }))
    })
