/**
 * Measures and stores unit costs, and prints the tables of docs/scaling.md. With --print it prints the tables from the
 * stored costs without measuring.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { assumptions, rates } from './assumptions.ts'
import { measureUnitCosts } from './measure.ts'
import type { UnitCosts } from './model.ts'
import { assumptionList, capacityTable, costTable } from './report.ts'

const costFile = new URL('unit-costs.json', import.meta.url)

const { values } = parseArgs({
  options: {
    print: { type: 'boolean', default: false },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
  },
})
if (!values.print) {
  const units = await measureUnitCosts({ rows: Number(values.rows), seconds: Number(values.seconds) })
  await writeFile(costFile, `${JSON.stringify(units, null, 2)}\n`)
}
const units = JSON.parse(await readFile(costFile, 'utf8')) as UnitCosts
console.log(`${costTable(units)}

One process: ${units.memoryMb.idle} MB after the start, ${units.memoryMb.loaded} MB after the load, ${units.connections} database sessions.
A version query that serves only one request costs the database ${Math.round(units.unsharedVersionQuery)} µs of CPU time.
A list is ${units.listBytes.plain} bytes, ${units.listBytes.gzip} with gzip.

${capacityTable(units, assumptions, rates)}

Assumptions:
${assumptionList(assumptions)}`)
