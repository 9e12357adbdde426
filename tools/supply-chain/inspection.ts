/** Checks all package rules, and searches for secrets in the files and the git history of a repository. */
import { readFileSync } from 'node:fs'
import { findInstalledProblems } from './installed.ts'
import type { ShippedPackages } from './lockfile.ts'
import { consolePackages, productionPackages, readLockfile, registryPackages } from './lockfile.ts'
import {
  licenceProblems,
  lockProblems,
  npmrcProblems,
  productionProblems,
  scriptProblems,
  versionProblems,
} from './package-rules.ts'
import { productionReasons } from './policy.ts'
import type { SearchedText } from './repository.ts'
import { readHistory, readTree } from './repository.ts'
import { findSecrets } from './secrets.ts'

export interface Inspection {
  readonly violations: readonly string[]
  readonly lockedCount: number
  readonly productionCount: number
  /** Number of packages whose code the built console may contain. */
  readonly consoleCount: number
  readonly fileCount: number
  /** Number of file versions and commit messages in the git history; undefined if there is no history. */
  readonly historyTextCount: number | undefined
}

export const inspect = async (root: URL): Promise<Inspection> => {
  const lockfile = readLockfile(root)
  const inProduction = productionPackages(lockfile)
  const inConsole = consolePackages(lockfile)
  const tree = readTree(root)
  const history = readHistory(root)
  return {
    violations: [
      ...lockProblems(lockfile),
      ...versionProblems(lockfile),
      ...npmrcProblems(readFileSync(new URL('.npmrc', root), 'utf8')),
      ...scriptProblems(lockfile),
      ...licenceProblems(lockfile, { inProduction, inConsole }),
      ...productionProblems(inProduction.values(), productionReasons),
      ...findInstalledProblems(root, lockfile),
      ...(await findSecretViolations(tree)),
      ...(await findSecretViolations(history ?? [])),
    ],
    lockedCount: registryPackages(lockfile).length,
    productionCount: externalCount(inProduction),
    consoleCount: externalCount(inConsole),
    fileCount: tree.length,
    historyTextCount: history?.length,
  }
}

const externalCount = (packages: ShippedPackages): number =>
  [...packages.keys()].filter((path) => path.includes('node_modules/')).length

const findSecretViolations = async (texts: readonly SearchedText[]): Promise<string[]> => {
  const violations: string[] = []
  for (const { location, text } of texts)
    for (const { kind, line, excerpt } of await findSecrets(text))
      violations.push(`${location}:${line} contains a possible secret, ${kind}: ${excerpt}`)
  return violations
}
