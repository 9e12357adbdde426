/** In charge of the command that answers for what we did not write ourselves: npm run supply [-- --sbom FILE]. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { inspect } from './inspection.ts'
import { readLockfile } from './lockfile.ts'
import { productionBudget } from './policy.ts'
import { billOfMaterials } from './sbom.ts'

const root = new URL('..', import.meta.url)
const { sbom } = parseArgs({ options: { sbom: { type: 'string' } } }).values

if (sbom !== undefined) writeFileSync(sbom, `${JSON.stringify(billOfMaterials(readLockfile(root)), null, 2)}\n`)

const { faults, locked, inProduction, files, remembered } = inspect(root)
console.log(`packages: ${locked} locked, ${inProduction} of them in production, where ${productionBudget} are allowed`)
console.log(`secrets: looked for in ${files} files and ${remembered ?? 'NONE'} of the history`)
for (const fault of faults) console.error(`✖ ${fault}`)
console.log(faults.length === 0 ? 'supply chain: in order' : `supply chain: ${faults.length} to mend`)
process.exitCode = faults.length === 0 ? 0 : 1
