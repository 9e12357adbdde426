/** A group is a generated file that loads several test files, each as a suite with its path as name. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export const groupCode = (files: readonly string[]): string =>
  `import { after, describe } from 'node:test'\n${endCode}${loadCode}${files.map(suiteCode).join('')}`

/**
 * A test may leave a server open, and the process would never end: `--test-timeout` limits tests, not processes. The
 * option `--test-force-exit` of Node 26.10 would end it before all results are reported. On SIGTERM, which would end the
 * process at once, `process.exit` runs the exit handlers, which end the programs that tests have started.
 */
const endCode = `
after(() => void setTimeout(() => {
  console.error(\`Still open after all tests: \${process.getActiveResourcesInfo().join(', ')}\`)
  process.exit()
}, 10_000).unref())
process.once('SIGTERM', () => process.exit(143))
`

/**
 * One file after the other: a module that several files import at the same time may load them all in the context of the
 * first one, and their tests would be added to its suite.
 */
const loadCode = `
let lastLoad
const load = (url) => (lastLoad = Promise.allSettled([lastLoad]).then(() => import(url)))
`

const suiteCode = (file: string): string =>
  `describe(${JSON.stringify(file)}, () => load(${JSON.stringify(pathToFileURL(resolve(file)))}))\n`

/** Puts neighbouring files into different groups, because they often take equally long. */
export const divideIntoGroups = (files: readonly string[], count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.min(count, files.length) }, (_, group) =>
    files.filter((_file, index) => index % count === group),
  )
