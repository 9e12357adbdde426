/** Runs every source of fuzz cases against a running service and reports deviations from the OpenAPI document. */
import { writeFile } from 'node:fs/promises'
import { loadContract } from './contract.ts'
import type { Fuzzer } from './fuzzer.ts'
import { maxParallel, openFuzzer } from './fuzzer.ts'
import { openHttpClient } from './http-client.ts'
import type { Options } from './options.ts'
import { parseOptions } from './options.ts'
import { openOracle } from './oracle.ts'
import { readPools } from './pools.ts'
import { reportText, totalsLine } from './report.ts'
import { openValidators } from './response-validators.ts'
import { openResults } from './results.ts'
import { access } from './sources/access.ts'
import { conditional } from './sources/conditional.ts'
import { coverage } from './sources/coverage.ts'
import { examples } from './sources/examples.ts'
import { filters } from './sources/filters.ts'
import { limits } from './sources/limits.ts'
import { methods } from './sources/methods.ts'
import { negative } from './sources/negative.ts'
import { paging } from './sources/paging.ts'
import { parameters } from './sources/parameters.ts'
import { positive } from './sources/positive.ts'
import { references } from './sources/references.ts'
import { regressions } from './sources/regressions.ts'
import { reports } from './sources/reports.ts'
import { roundTrips } from './sources/round-trips.ts'
import { sequences } from './sources/sequences.ts'
import type { Source } from './sources/source.ts'
import { wrongValues } from './sources/wrong-values.ts'

const allSources: readonly Source[] = [
  regressions,
  examples,
  coverage,
  methods,
  parameters,
  filters,
  reports,
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

const createFuzzer = async (options: Options): Promise<Fuzzer> => {
  const { origin, pathname } = new URL(options.baseUrl)
  const client = openHttpClient(origin, options.token, maxParallel)
  const contract = await loadContract(client, pathname)
  const validators = openValidators(contract)
  return openFuzzer({
    contract,
    validators,
    oracle: openOracle(contract, validators, options.token),
    client,
    clientWithoutToken:
      options.baseUrlWithoutToken === undefined
        ? undefined
        : openHttpClient(new URL(options.baseUrlWithoutToken).origin, options.token, maxParallel),
    pools: await readPools(contract, client),
    results: openResults(),
    sizes: sizesFor(options.caseCount),
    seed: options.seed,
    saveFailures: options.saveFailures,
  })
}

/** A round trip takes three requests and a sequence about ten, so fewer of them are generated. */
const sizesFor = (caseCount: number) => ({
  generated: caseCount,
  roundTrips: Math.ceil(caseCount / 10),
  sequences: Math.min(10_000, Math.ceil(caseCount / 20)),
  pages: Math.max(200, Math.ceil(caseCount / 100)),
})

const chosenSources = ({ sources }: Options): readonly Source[] => {
  const unknown = sources?.find((wanted) => !allSources.some(({ name }) => name === wanted))
  if (unknown !== undefined) throw new Error(`There is no source "${unknown}".`)
  return allSources.filter(({ name }) => sources?.includes(name) ?? true)
}

const runAll = async (fuzzer: Fuzzer, sources: readonly Source[]): Promise<void> => {
  const { results } = fuzzer
  for (const { name, run } of sources) {
    const startedAt = performance.now()
    try {
      await run(fuzzer)
      await fuzzer.checkTotals(name)
    } catch (error) {
      // If the service has exited, for example, the results so far are still reported.
      const message = error instanceof Error ? error.message : String(error)
      results.addFailure({
        source: name,
        about: 'the run was aborted',
        checks: ['response received'],
        lines: [message],
      })
      return
    } finally {
      results.countsOf(name).ms = performance.now() - startedAt
    }
  }
}

try {
  const options = parseOptions(process.argv.slice(2), process.env)
  console.log(`seed ${options.seed}, ${options.caseCount} generated cases, ${options.baseUrl}`)
  const sources = chosenSources(options)
  const startedAt = performance.now()
  const fuzzer = await createFuzzer(options)
  await runAll(fuzzer, sources)
  const { results, contract, oracle } = fuzzer
  console.log(reportText(results, contract, oracle))
  console.log(`seed ${options.seed}, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  console.log(totalsLine(results))
  if (options.reportFile !== undefined)
    await writeFile(
      options.reportFile,
      JSON.stringify({ seed: options.seed, counts: results.counts, failures: results.failures }),
    )
  fuzzer.client.close()
  fuzzer.clientWithoutToken?.close()
  process.exitCode = results.failures.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
