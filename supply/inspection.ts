/** In charge of looking a repository over: every rule for packages, and secrets in its files and its history. */
import { readFileSync } from 'node:fs'
import { installedFaults } from './installed.ts'
import { production, readLockfile, registryPackages } from './lockfile.ts'
import { budgetFaults, licenceFaults, lockFaults, scriptFaults, settingFaults, versionFaults } from './package-rules.ts'
import { productionBudget, productionPackages } from './policy.ts'
import type { Text } from './repository.ts'
import { readHistory, readTree } from './repository.ts'
import { findSecrets } from './secrets.ts'

export interface Inspection {
  readonly faults: readonly string[]
  readonly locked: number
  readonly inProduction: number
  readonly files: number
  /** Files and messages; undefined where git finds no history. */
  readonly remembered: number | undefined
}

export const inspect = (root: URL): Inspection => {
  const lockfile = readLockfile(root)
  const inProduction = production(lockfile)
  const tree = readTree(root)
  const history = readHistory(root)
  return {
    faults: [
      ...lockFaults(lockfile),
      ...versionFaults(lockfile),
      ...settingFaults(readFileSync(new URL('.npmrc', root), 'utf8')),
      ...scriptFaults(lockfile),
      ...licenceFaults(lockfile, inProduction),
      ...budgetFaults(inProduction.values(), { most: productionBudget, reasons: productionPackages }),
      ...installedFaults(root, lockfile),
      ...secretFaults(tree),
      ...secretFaults(history ?? []),
    ],
    locked: registryPackages(lockfile).length,
    inProduction: [...inProduction.keys()].filter((path) => path.includes('node_modules/')).length,
    files: tree.length,
    remembered: history?.length,
  }
}

const secretFaults = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ place, text }) =>
    findSecrets(text).map(
      ({ kind, line, excerpt }) => `${place}:${line} holds what looks like a secret, ${kind}: ${excerpt}`,
    ),
  )
