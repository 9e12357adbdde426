/** In charge of the capacity command: measures unit costs and keeps them, or takes those that were kept, and prints the bill. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { assumptions, rates } from './assumptions.ts'
import { measureUnitCosts } from './measure.ts'
import type { UnitCosts } from './model.ts'
import { assumptionList, billTable, costTable } from './report.ts'

const file = new URL('unit-costs.json', import.meta.url)

const { values } = parseArgs({
  options: {
    print: { type: 'boolean', default: false },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
  },
})
if (!values.print) {
  const units = await measureUnitCosts({ rows: Number(values.rows), seconds: Number(values.seconds) })
  await writeFile(file, `${JSON.stringify(units, null, 2)}\n`)
}
const units = JSON.parse(await readFile(file, 'utf8')) as UnitCosts
console.log(`${costTable(units)}

One process: ${units.memoryMb.idle} MB at first, ${units.memoryMb.loaded} MB after all of it, ${units.connections} sessions of the database.
A look at the books that one request has to itself takes the database ${Math.round(units.loneLook)} µs.
A list is ${units.listBytes.plain} bytes, ${units.listBytes.gzip} as gzip.

${billTable(units, assumptions, rates)}

Assumed:
${assumptionList(assumptions)}`)
