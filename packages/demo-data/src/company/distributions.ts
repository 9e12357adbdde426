import { formatTimestamp } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomBelow, randomUint32, streams } from '../random.ts'
import { officeAt, organizationOf } from '../vocabulary/locations.ts'
import type { Enterprise, Site } from './enterprise.ts'
import { titleOf } from './jobs.ts'
import type { Openings } from './openings.ts'
import { isAdvertisedEverywhere, JOB_STATUSES } from './openings.ts'

export const DISTRIBUTION_STATUS_BY_JOB_STATUS: Readonly<Record<string, string>> = {
  draft: 'draft',
  open: 'published',
  on_hold: 'closed',
  closed: 'closed',
  archived: 'archived',
}

export function* distributionRows(plan: Plan, openings: Openings, { sites }: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('distributions')
  const sitesByLocation = groupByLocation(sites)
  let id = 0
  for (let job = 0; job < openings.count; job++) {
    const randomKey = randomUint32(stream, job)
    const matchingSites = sitesByLocation.get(locationId(openings.office[job] as number)) as readonly number[]
    const chosenSites =
      isAdvertisedEverywhere(openings, job) || randomKey % 4 === 0
        ? matchingSites
        : [matchingSites[randomBelow(randomKey, 1, matchingSites.length)] as number]
    const status = DISTRIBUTION_STATUS_BY_JOB_STATUS[JOB_STATUSES[openings.status[job] as number] as string] as string
    for (const site of chosenSites)
      for (const locale of (sites[site] as Site).locales) {
        id++
        yield [
          id,
          job + 1,
          site + 1,
          (sites[site] as Site).brand + 1,
          locale,
          slugOf(openings, job),
          status,
          status === 'draft'
            ? null
            : formatTimestamp(openings.openedOn[job] as number, 7 * 3600 + randomBelow(randomKey, id, 12 * 3600)),
        ]
      }
  }
}

/**
 * Groups the active career sites by organization and country. A site shows the openings of the organization's offices
 * in its country.
 */
function groupByLocation(sites: readonly Site[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { office, active }] of sites.entries())
    if (active) groups.set(locationId(office), [...(groups.get(locationId(office)) ?? []), index])
  return groups
}

function locationId(office: number): string {
  return `${organizationOf(office)}/${officeAt(office).country.code}`
}

function slugOf(openings: Openings, job: number): string {
  const title = titleOf(openings, job).toLowerCase().replaceAll(' ', '-')
  return `${title}-${officeAt(openings.office[job] as number).country.code.toLowerCase()}-${job + 1}`
}
