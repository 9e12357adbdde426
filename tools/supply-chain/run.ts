/** npm run supply-chain [-- --sbom FILE]: checks dependencies and secrets; --sbom writes a bill of materials. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { inspect } from './inspection.ts'
import { readLockfile } from './lockfile.ts'
import { billOfMaterials } from './sbom.ts'

const root = new URL('../..', import.meta.url)
const { sbom } = parseArgs({ options: { sbom: { type: 'string' } } }).values

if (sbom !== undefined) writeFileSync(sbom, `${JSON.stringify(billOfMaterials(readLockfile(root)), null, 2)}\n`)

const { violations, lockedCount, productionCount, consoleCount, fileCount, historyTextCount } = await inspect(root)
console.log(`packages: ${lockedCount} locked, ${productionCount} in production, ${consoleCount} in the console`)
console.log(
  `secrets: searched ${fileCount} files, and ${historyTextCount ?? 'NO'} file versions and messages in the git history`,
)
for (const violation of violations) console.error(`✖ ${violation}`)
console.log(violations.length === 0 ? 'supply chain: ok' : `supply chain: ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
