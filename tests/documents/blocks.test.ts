/** Runs the code blocks of all documents that are marked with `run`; see docs/testing.md. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Block, MarkdownDocument } from '../support/markdown.ts'
import { readDocument, repositoryFiles } from '../support/markdown.ts'
import { commandsOf, outputPattern } from './output.ts'
import type { Session, SessionOptions } from './session.ts'
import { openSession } from './session.ts'

const samples = 'packages/server/test/commands/sync-samples'
const historySamples = 'packages/server/test/commands/history-samples'

/** What documents need besides the demo company. */
const options: Readonly<Record<string, SessionOptions>> = {
  'docs/recipes/nightly-import.md': {
    company: false,
    files: {
      'bamboo.csv': `${samples}/bamboohr-employees.csv`,
      'bamboo-2.csv': `${samples}/bamboohr-next-night.csv`,
      'departments.csv': `${samples}/departments.csv`,
    },
  },
  'docs/recipes/job-history.md': {
    company: false,
    files: {
      'bamboo.csv': `${samples}/bamboohr-employees.csv`,
      'departments.csv': `${samples}/departments.csv`,
      'job-history.csv': `${historySamples}/bamboohr-job-history.csv`,
      'job-history.json': `${historySamples}/job-history.json`,
    },
  },
}

/** Blocks marked with `run-long` need programs that are too large for CI. */
const runMarks = process.env.DOCS_CHECK === 'long' ? ['run', 'run-long'] : ['run']
const isRunnable = ({ marks }: Block): boolean => marks.some((mark) => [...runMarks, 'setup'].includes(mark))
const documents = repositoryFiles()
  .filter((file) => file.endsWith('.md'))
  .map(readDocument)
  .filter(({ blocks }) => blocks.some(isRunnable))

const titleOf = ({ line, language, code }: Block): string => {
  const firstLine = code.split('\n').find((text) => !/^(#.*|--.*|\/\/.*)?$/.test(text)) ?? ''
  return `line ${line}, ${language}: ${firstLine.slice(0, 60)}`
}

/** The output that the document shows for a block: the next block, if it is marked with `output`. */
const documentedOutput = ({ blocks }: MarkdownDocument, block: Block): string | undefined => {
  const next = blocks[blocks.indexOf(block) + 1]
  return next?.marks.includes('output') ? next.code : undefined
}

let runCount = 0

for (const document of documents)
  describe(document.path, () => {
    let session: Session
    before(async () => {
      session = await openSession(options[document.path])
    })
    after(() => session?.close())

    const check = async (block: Block, output: string | undefined): Promise<void> => {
      const printed = await session.run(block)
      // Many programs end their output without a line break.
      if (output !== undefined) assert.match(`${printed.trimEnd()}\n`, outputPattern(output))
    }
    for (const block of document.blocks.filter(isRunnable))
      it(titleOf(block), async () => {
        runCount += block.marks.includes('setup') ? 0 : 1
        if (block.language !== 'console') return check(block, documentedOutput(document, block))
        for (const { command, output } of commandsOf(block.code)) await check({ ...block, code: command }, output)
      })
    // Readers run recipes in a clone, and the files contain personal data.
    if (document.path.startsWith('docs/recipes/'))
      it('leaves no files in the folder', async () => {
        assert.deepEqual(await session.writtenFiles(), [])
      })
  })

describe('the documents', () => {
  after(() => console.log(`${runCount} blocks of ${documents.length} documents run`))

  it('have no mark that means nothing', () => {
    const unknownMarks = repositoryFiles()
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => readDocument(file).blocks.map((block) => ({ file, block })))
      .flatMap(({ file, block }) => block.marks.map((mark) => ({ mark, place: `${file}:${block.line}` })))
      .filter(({ mark }) => !['run', 'run-long', 'setup', 'output'].includes(mark))
    assert.deepEqual(unknownMarks, [])
  })
})

describe('the comparison of outputs', () => {
  const cases: readonly (readonly [documented: string, printed: string, isEqual: boolean])[] = [
    ['5 created\n', '5 created\n', true],
    ['5 created\n', '15 created\n', false],
    ['5 created\n', '5 created\nand more\n', false],
    ['20 of …\n', '20 of 213\n', true],
    ['20 of …\n', '20 of 213\n21\n', false],
    ['a\n…\nb\n', 'a\n1\n2\nb\n', true],
    ['a\n…\nb\n', 'a\n1\n2\n', false],
    ['Stored in 0.1 s.\n', 'Stored in 12.4 s.\n', true],
    ['{"a":[1]}\n', '{"a":1}\n', false],
  ]
  for (const [documented, printed, isEqual] of cases)
    it(`${isEqual ? 'accepts' : 'rejects'} ${JSON.stringify(printed)} for ${JSON.stringify(documented)}`, () => {
      assert.equal(outputPattern(documented).test(printed), isEqual)
    })

  it('finds the commands of a console block', () => {
    assert.deepEqual(commandsOf('$ ls\na\n$ true\n'), [
      { command: 'ls\n', output: 'a\n' },
      { command: 'true\n', output: '' },
    ])
  })
})
