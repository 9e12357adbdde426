import type { Deviation } from '../case.ts'
import { readCorpus } from '../corpus.ts'
import type { Attempt, Fuzzer } from '../fuzzer.ts'
import { followLinks } from '../links.ts'
import { openReportChecks } from '../report-checks.ts'
import { curlCommand } from '../request.ts'
import { runSequence } from '../sequence/run.ts'
import { readBack, roundTrips } from './round-trips.ts'
import type { Source } from './source.ts'

const sourceName = 'regressions'

export const regressions: Source = {
  name: sourceName,
  about: 'cases that have failed before',
  async run(fuzzer) {
    for (const entry of await readCorpus()) {
      const { deviations, lines } = await rerunEntry(fuzzer, entry)
      if (deviations.length === 0) fuzzer.results.countsOf(sourceName).passed += 1
      else
        fuzzer.results.addFailure({
          source: sourceName,
          about: `tests/fuzz/corpus/${entry.file}`,
          checks: deviations.map(({ check }) => check),
          lines: [...deviations.map(({ check, message }) => `${check}: ${message}`), ...lines],
        })
    }
  },
}

const rerunEntry = async (fuzzer: Fuzzer, entry: Awaited<ReturnType<typeof readCorpus>>[number]) => {
  if ('steps' in entry) {
    const { deviations, trace } = await runSequence(fuzzer, entry.steps)
    return { deviations, lines: trace }
  }
  const result = await fuzzer.attempt(entry.testCase)
  const deviations = result.deviations.length > 0 ? result.deviations : await followUpDeviations(fuzzer, result)
  return { deviations, lines: [curlCommand(fuzzer.client.origin, result.testCase.request)] }
}

/** Repeats the follow-up requests that the source of the case sends after a create or a report. */
const followUpDeviations = (fuzzer: Fuzzer, result: Attempt): Promise<readonly Deviation[]> | readonly Deviation[] => {
  const { testCase, response } = result
  if (testCase.operation === undefined) return []
  const operation = fuzzer.contract.operation(testCase.operation)
  if (operation.kind === 'report') return openReportChecks(fuzzer, operation).follow(result)
  if (response?.status !== 201) return []
  const { resource } = operation
  const followUp = testCase.source === roundTrips.name ? readBack(fuzzer, resource) : followLinks(fuzzer)
  return followUp(result)
}
