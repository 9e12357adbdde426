/** In charge of where openings were shown: on the career sites of their office, in the languages spoken there. */
import { writeMoment } from './calendar.ts'
import type { Row } from './copy-text.ts'
import type { Enterprise, Site } from './enterprise.ts'
import { titleOf } from './jobs.ts'
import type { Openings } from './openings.ts'
import { JOB_STATUSES } from './openings.ts'
import { officeAt, organizationOf } from './places.ts'
import type { Plan } from './plan.ts'
import { below, draw, streams } from './random.ts'

const STATUS_OF_JOB: Readonly<Record<string, string>> = {
  draft: 'draft',
  open: 'published',
  on_hold: 'published',
  closed: 'closed',
  archived: 'archived',
}

export function* distributionRows(plan: Plan, openings: Openings, { sites }: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('distributions')
  const sitesAt = groupByPlace(sites)
  let id = 0
  for (let job = 0; job < openings.count; job++) {
    const key = draw(stream, job)
    const fitting = sitesAt.get(placeOf(openings.office[job] as number)) as readonly number[]
    const shown = key % 4 === 0 ? fitting : [fitting[below(key, 1, fitting.length)] as number]
    const status = STATUS_OF_JOB[JOB_STATUSES[openings.status[job] as number] as string] as string
    for (const site of shown)
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
          status === 'draft' ? null : writeMoment(openings.opened[job] as number, 7 * 3600 + below(key, id, 12 * 3600)),
        ]
      }
  }
}

/** Sites that show the openings of an office: those of its organization in its country. */
function groupByPlace(sites: readonly Site[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { office, active }] of sites.entries())
    if (active) groups.set(placeOf(office), [...(groups.get(placeOf(office)) ?? []), index])
  return groups
}

function placeOf(office: number): string {
  return `${organizationOf(office)}/${officeAt(office).country.code}`
}

function slugOf(openings: Openings, job: number): string {
  const title = titleOf(openings, job).toLowerCase().replaceAll(' ', '-')
  return `${title}-${officeAt(openings.office[job] as number).country.code.toLowerCase()}-${job + 1}`
}
