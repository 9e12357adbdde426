/** In charge of the rows of the enterprise configuration: organizations, brands, career sites and teams. */
import type { Day } from './calendar.ts'
import { writeMoment } from './calendar.ts'
import type { Row } from './copy-text.ts'
import { departmentNames } from './families.ts'
import { foundingDay } from './growth.ts'
import { NEVER } from './openings.ts'
import type { Brand, Organization } from './organizations.ts'
import { organizations } from './organizations.ts'
import type { People } from './people.ts'
import { OFFICES_PER_ORGANIZATION, officeAt } from './places.ts'
import type { Plan } from './plan.ts'
import { below, draw, streams } from './random.ts'
import { siteHeadlines, siteIntroductions } from './texts.ts'

/** A career site belongs to a brand and speaks one country's language; a retired one shows no openings any more. */
export interface Site {
  readonly organization: number
  readonly brand: number
  readonly office: number
  readonly name: string
  readonly slug: string
  readonly locales: readonly string[]
  readonly created: Day
  readonly active: boolean
}

export interface Enterprise {
  readonly organizations: readonly Organization[]
  readonly brands: readonly { readonly organization: number; readonly brand: Brand; readonly created: Day }[]
  readonly sites: readonly Site[]
}

export function makeEnterprise(plan: Plan): Enterprise {
  const chosen = organizations.slice(0, plan.organizations)
  const stream = streams(plan.seed)('enterprise')
  const founded = foundingDay(plan)
  const brands: { organization: number; brand: Brand; created: Day }[] = []
  const sites: Site[] = []
  for (const [organization, { brands: own }] of chosen.entries())
    for (const brand of own) {
      const created = founded + 40 + organization * 30 + below(stream, brands.length, 90)
      for (const place of brand.offices) {
        const office = organization * OFFICES_PER_ORGANIZATION + place
        if (
          sites.some(
            (site) => site.brand === brands.length && officeAt(site.office).country === officeAt(office).country,
          )
        )
          continue
        sites.push(siteOf(organization, brands.length, brand, office, created + 20 + place))
      }
      brands.push({ organization, brand, created })
    }
  for (const [index, site] of firstSites(sites).entries())
    sites.push({
      ...site,
      name: `${site.name} Apprentices`,
      slug: `${site.slug}-apprentices`,
      created: site.created + 200 + index,
      active: false,
    })
  return { organizations: chosen, brands, sites }
}

/** The first site of each organization. */
function firstSites(sites: readonly Site[]): Site[] {
  return sites.filter(({ organization }, index) => sites[index - 1]?.organization !== organization)
}

function siteOf(organization: number, index: number, brand: Brand, office: number, created: Day): Site {
  const { code, name, locale } = officeAt(office).country
  return {
    organization,
    brand: index,
    office,
    name: `${brand.name} ${name}`,
    slug: `${brand.slug}-${code.toLowerCase()}`,
    locales: locale.startsWith('en') ? [locale] : [locale, 'en'],
    created,
    active: true,
  }
}

const workDay = (key: number) => 8 * 3600 + (key % (9 * 3600))

export function* organizationRows(plan: Plan, { organizations: chosen }: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('organizations')
  for (const [index, { name, slug, locale, timezone }] of chosen.entries())
    yield [
      index + 1,
      name,
      slug,
      locale,
      timezone,
      JSON.stringify({ week_starts_on: 'monday', time_format: '24h', retention_days: 420, locales: localesOf(index) }),
      writeMoment(foundingDay(plan) + index * 30, workDay(draw(stream, index))),
    ]
}

function localesOf(organization: number): string[] {
  const places = Array.from(
    { length: OFFICES_PER_ORGANIZATION },
    (_, place) => organization * OFFICES_PER_ORGANIZATION + place,
  )
  return [...new Set([...places.map((place) => officeAt(place).country.locale), 'en'])]
}

export function* brandRows(plan: Plan, enterprise: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('brands')
  for (const [index, { organization, brand, created }] of enterprise.brands.entries()) {
    const moment = workDay(draw(stream, index))
    yield [
      index + 1,
      organization + 1,
      brand.name,
      brand.slug,
      `https://assets.example.com/brands/${brand.slug}/logo.svg`,
      `https://assets.example.com/brands/${brand.slug}/favicon.ico`,
      brand.colors[0],
      brand.colors[1],
      `jobs.${brand.slug}.example`,
      JSON.stringify({ tone: index % 2 === 0 ? 'plain' : 'warm', show_pay: true, reply_within_days: 10 }),
      writeMoment(created, moment),
      writeMoment(created + below(stream, 100 + index, plan.asOf - created), moment),
    ]
  }
}

export function* siteRows(plan: Plan, enterprise: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('sites')
  for (const [index, site] of enterprise.sites.entries()) {
    const brand = enterprise.brands[site.brand]?.brand as Brand
    const { country } = officeAt(site.office)
    const language = country.locale.slice(0, 2)
    const moment = workDay(draw(stream, index))
    yield [
      index + 1,
      site.name,
      site.slug,
      siteHeadlines[language] ?? siteHeadlines.en ?? null,
      siteIntroductions[language] ?? siteIntroductions.en ?? null,
      brand.colors[0],
      brand.colors[1],
      `https://assets.example.com/brands/${brand.slug}/logo.svg`,
      `https://www.${brand.slug}.example/${country.code.toLowerCase()}/privacy`,
      site.active ? `${country.code.toLowerCase()}.jobs.${brand.slug}.example` : null,
      site.active ? 1 : 0,
      writeMoment(site.created, moment),
      writeMoment(site.created + below(stream, 100 + index, plan.asOf - site.created), moment),
    ]
  }
}

/** Members in one team at most: departments of an office beyond that are split into groups. */
const TEAM_SIZE = 12
const CREWS = [
  'Otter',
  'Heron',
  'Lynx',
  'Curlew',
  'Marten',
  'Swift',
  'Badger',
  'Plover',
  'Hare',
  'Kestrel',
  'Newt',
  'Wren',
]

/** A tree for each organization: the whole, its offices, their departments and the crews inside large departments. */
export function* teamRows(plan: Plan, enterprise: Enterprise, people: People): Generator<Row, void, void> {
  const members = countMembers(plan, people)
  let id = 0
  for (const [organization, { name }] of enterprise.organizations.entries()) {
    const root = ++id
    yield [root, organization + 1, null, name, null, null, JSON.stringify({ kind: 'organization' })]
    for (let place = 0; place < OFFICES_PER_ORGANIZATION; place++) {
      const office = organization * OFFICES_PER_ORGANIZATION + place
      const { city, country } = officeAt(office)
      const site = ++id
      yield [
        site,
        organization + 1,
        root,
        city,
        country.code,
        null,
        JSON.stringify({ kind: 'office', locale: country.locale }),
      ]
      for (let department = 0; department < plan.departments; department++) {
        const count = members[office * plan.departments + department] as number
        if (count === 0) continue
        const parent = ++id
        const title = `${departmentNames[department]?.name}, ${city}`
        yield [
          parent,
          organization + 1,
          site,
          title,
          country.code,
          department + 1,
          JSON.stringify({ kind: 'department' }),
        ]
        const crews = count > TEAM_SIZE ? Math.ceil(count / TEAM_SIZE) : 0
        for (let crew = 0; crew < crews; crew++)
          yield [
            ++id,
            organization + 1,
            parent,
            crewName(title, crew),
            country.code,
            department + 1,
            JSON.stringify({ kind: 'crew' }),
          ]
      }
    }
  }
}

function crewName(title: string, crew: number): string {
  const round = Math.floor(crew / CREWS.length)
  return `${title}: ${CREWS[crew % CREWS.length]}${round === 0 ? '' : ` ${round + 1}`}`
}

function countMembers(plan: Plan, people: People): Int32Array {
  const members = new Int32Array(plan.offices * plan.departments)
  for (let employee = 0; employee < people.count; employee++) {
    if (people.leaving[employee] !== NEVER || (people.joining[employee] as number) > plan.asOf) continue
    const index = (people.office[employee] as number) * plan.departments + (people.department[employee] as number)
    members[index] = (members[index] as number) + 1
  }
  return members
}
