/** A group is a generated file that loads several test files, each as a suite with its path as name. */
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export const groupFileName = (number: number): string => `group-${number}.test.mjs`

export const isGroupFile = (path: string): boolean => /^group-\d+\.test\.mjs$/.test(basename(path))

export const groupCode = (files: readonly string[]): string =>
  `import { after, describe } from 'node:test'\n${endCode}${files.map(suiteCode).join('')}`

/**
 * A failed test may leave a server open, which would keep the process alive until its time limit. The option
 * `--test-force-exit` of Node 26.10 would end the process before all results are reported.
 */
const endCode = 'after(() => void setTimeout(() => process.exit(), 10_000).unref())\n'

const suiteCode = (file: string): string =>
  `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(pathToFileURL(resolve(file)))}))\n`

/** Puts neighbouring files into different groups, because they often take equally long. */
export const divideIntoGroups = (files: readonly string[], count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.min(count, files.length) }, (_, group) =>
    files.filter((_file, index) => index % count === group),
  )
