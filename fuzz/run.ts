/** In charge of the proving machine: runs every source of cases against a running service and says what deviated. */
import { writeFile } from 'node:fs/promises'
import { loadContract } from './contract.ts'
import type { Machine } from './machine.ts'
import { openMachine, parallel } from './machine.ts'
import type { Options } from './options.ts'
import { readOptions } from './options.ts'
import { openOracle } from './oracle.ts'
import { readPools } from './pools.ts'
import { countLine, reportText } from './report.ts'
import { openValidators } from './response-validators.ts'
import { access } from './sources/access.ts'
import { conditional } from './sources/conditional.ts'
import { coverage } from './sources/coverage.ts'
import { examples } from './sources/examples.ts'
import { limits } from './sources/limits.ts'
import { methods } from './sources/methods.ts'
import { negative } from './sources/negative.ts'
import { paging } from './sources/paging.ts'
import { parameters } from './sources/parameters.ts'
import { positive } from './sources/positive.ts'
import { references } from './sources/references.ts'
import { regressions } from './sources/regressions.ts'
import { roundTrips } from './sources/round-trips.ts'
import { sequences } from './sources/sequences.ts'
import type { Source } from './sources/source.ts'
import { wrongValues } from './sources/wrong-values.ts'
import { openTally } from './tally.ts'
import { openWire } from './wire.ts'

const sources: readonly Source[] = [
  regressions,
  examples,
  coverage,
  methods,
  parameters,
  wrongValues,
  access,
  conditional,
  limits,
  references,
  paging,
  positive,
  negative,
  roundTrips,
  sequences,
]

const open = async (options: Options): Promise<Machine> => {
  const { origin, pathname } = new URL(options.base)
  const wire = openWire(origin, options.token, parallel)
  const contract = await loadContract(wire, pathname)
  const validators = openValidators(contract)
  return openMachine({
    contract,
    validators,
    oracle: openOracle(contract, validators, options.token),
    wire,
    wireWithoutToken:
      options.baseWithoutToken === undefined
        ? undefined
        : openWire(new URL(options.baseWithoutToken).origin, options.token, parallel),
    pools: await readPools(contract, wire),
    tally: openTally(),
    sizes: sizesFor(options.cases),
    seed: options.seed,
    keepsFailures: options.keepsFailures,
  })
}

/** Round trips make three requests and sequences some ten, so they are fewer. */
const sizesFor = (cases: number) => ({
  generated: cases,
  roundTrips: Math.ceil(cases / 10),
  sequences: Math.min(10_000, Math.ceil(cases / 20)),
  pages: Math.max(200, Math.ceil(cases / 100)),
})

const runAll = async (machine: Machine): Promise<void> => {
  const { tally } = machine
  for (const { name, run } of sources) {
    const start = performance.now()
    try {
      await run(machine)
      await machine.checkNothingLeftBehind(name)
    } catch (error) {
      // As when the service has ended: what was found until then is told all the same.
      const line = error instanceof Error ? error.message : String(error)
      tally.fail({ source: name, about: 'the run broke off', checks: ['answered'], lines: [line] })
      return
    } finally {
      tally.of(name).ms = performance.now() - start
    }
  }
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  console.log(`seed ${options.seed}, ${options.cases} generated cases, ${options.base}`)
  const start = performance.now()
  const machine = await open(options)
  await runAll(machine)
  const { tally, contract, oracle } = machine
  console.log(reportText(tally, contract, oracle))
  console.log(`seed ${options.seed}, ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  console.log(countLine(tally))
  if (options.report !== undefined)
    await writeFile(
      options.report,
      JSON.stringify({ seed: options.seed, counts: tally.counts, failures: tally.failures }),
    )
  machine.wire.close()
  machine.wireWithoutToken?.close()
  process.exitCode = tally.failures.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
