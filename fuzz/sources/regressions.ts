/** In charge of what once failed: every kept case again, before anything else. */
import type { Resource } from '../../acceptance/field-table.ts'
import type { Deviation } from '../case.ts'
import { readCorpus } from '../corpus.ts'
import { followLinks } from '../links.ts'
import type { Attempt, Machine } from '../machine.ts'
import { curlLine } from '../request.ts'
import { walk } from '../sequence/run.ts'
import { findAgain, roundTrips } from './round-trips.ts'
import type { Source } from './source.ts'

const name = 'regressions'

export const regressions: Source = {
  name,
  about: 'cases that once failed',
  async run(machine) {
    for (const kept of await readCorpus()) {
      const { deviations, lines } = await again(machine, kept)
      if (deviations.length === 0) machine.tally.of(name).passed += 1
      else
        machine.tally.fail({
          source: name,
          about: `fuzz/corpus/${kept.file}`,
          checks: deviations.map(({ check }) => check),
          lines: [...deviations.map(({ check, message }) => `${check}: ${message}`), ...lines],
        })
    }
  },
}

const again = async (machine: Machine, kept: Awaited<ReturnType<typeof readCorpus>>[number]) => {
  if ('steps' in kept) {
    const { deviations, trace } = await walk(machine, kept.steps)
    return { deviations, lines: trace }
  }
  const attempted = await machine.attempt(kept.asked)
  const deviations = attempted.deviations.length > 0 ? attempted.deviations : await followed(machine, attempted)
  return { deviations, lines: [curlLine(machine.wire.host, attempted.asked.request)] }
}

/** What was created is looked at again, as it was when the case was kept. */
const followed = (machine: Machine, attempted: Attempt): Promise<readonly Deviation[]> | readonly Deviation[] => {
  const { asked, answer } = attempted
  if (answer?.status !== 201 || asked.operation === undefined) return []
  const { resource } = machine.contract.operation(asked.operation)
  const follow = asked.source === roundTrips.name ? findAgain(machine, resource as Resource) : followLinks(machine)
  return follow(attempted)
}
