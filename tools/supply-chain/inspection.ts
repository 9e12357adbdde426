/** Checks all package rules, and searches for secrets in the files and the git history of a repository. */
import { readFileSync } from 'node:fs'
import { findInstalledProblems } from './installed.ts'
import { productionPackages, readLockfile, registryPackages } from './lockfile.ts'
import {
  budgetProblems,
  licenceProblems,
  lockProblems,
  npmrcProblems,
  scriptProblems,
  versionProblems,
} from './package-rules.ts'
import { productionBudget, productionReasons } from './policy.ts'
import type { SearchedText } from './repository.ts'
import { readHistory, readTree } from './repository.ts'
import { findSecrets } from './secrets.ts'

export interface Inspection {
  readonly violations: readonly string[]
  readonly lockedCount: number
  readonly productionCount: number
  readonly fileCount: number
  /** Number of file versions and commit messages in the git history; undefined if there is no history. */
  readonly historyTextCount: number | undefined
}

export const inspect = (root: URL): Inspection => {
  const lockfile = readLockfile(root)
  const inProduction = productionPackages(lockfile)
  const tree = readTree(root)
  const history = readHistory(root)
  return {
    violations: [
      ...lockProblems(lockfile),
      ...versionProblems(lockfile),
      ...npmrcProblems(readFileSync(new URL('.npmrc', root), 'utf8')),
      ...scriptProblems(lockfile),
      ...licenceProblems(lockfile, inProduction),
      ...budgetProblems(inProduction.values(), { maxPackages: productionBudget, reasons: productionReasons }),
      ...findInstalledProblems(root, lockfile),
      ...secretViolations(tree),
      ...secretViolations(history ?? []),
    ],
    lockedCount: registryPackages(lockfile).length,
    productionCount: [...inProduction.keys()].filter((path) => path.includes('node_modules/')).length,
    fileCount: tree.length,
    historyTextCount: history?.length,
  }
}

const secretViolations = (texts: readonly SearchedText[]): string[] =>
  texts.flatMap(({ location, text }) =>
    findSecrets(text).map(
      ({ kind, line, excerpt }) => `${location}:${line} contains a possible secret, ${kind}: ${excerpt}`,
    ),
  )
