import type { Day } from '../calendar.ts'
import { formatTimestamp } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomBelow, randomUint32, streams } from '../random.ts'
import { departmentNames } from '../vocabulary/job-families.ts'
import { OFFICES_PER_ORGANIZATION, officeAt } from '../vocabulary/locations.ts'
import { siteHeadlines, siteIntroductions } from '../vocabulary/texts.ts'
import { foundingDay } from './growth.ts'
import { NEVER } from './openings.ts'
import type { Brand, Organization } from './organizations.ts'
import { organizations } from './organizations.ts'
import type { People } from './people.ts'

/** A career site of a brand in one country. Inactive sites show no openings. */
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
  const chosenOrganizations = organizations.slice(0, plan.organizations)
  const stream = streams(plan.seed)('enterprise')
  const foundedOn = foundingDay(plan)
  const brands: { organization: number; brand: Brand; created: Day }[] = []
  const sites: Site[] = []
  for (const [organization, { brands: ownBrands }] of chosenOrganizations.entries())
    for (const brand of ownBrands) {
      const created = foundedOn + 40 + organization * 30 + randomBelow(stream, brands.length, 90)
      for (const index of brand.offices) {
        const office = organization * OFFICES_PER_ORGANIZATION + index
        if (
          sites.some(
            (site) => site.brand === brands.length && officeAt(site.office).country === officeAt(office).country,
          )
        )
          continue
        sites.push(siteOf(organization, brands.length, brand, office, created + 20 + index))
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
  return { organizations: chosenOrganizations, brands, sites }
}

/** Returns the first career site of each organization. */
function firstSites(sites: readonly Site[]): Site[] {
  return sites.filter(({ organization }, index) => sites[index - 1]?.organization !== organization)
}

function siteOf(organization: number, brandIndex: number, brand: Brand, office: number, created: Day): Site {
  const { code, name, locale } = officeAt(office).country
  return {
    organization,
    brand: brandIndex,
    office,
    name: `${brand.name} ${name}`,
    slug: `${brand.slug}-${code.toLowerCase()}`,
    locales: locale.startsWith('en') ? [locale] : [locale, 'en'],
    created,
    active: true,
  }
}

const secondInOfficeHours = (randomKey: number) => 8 * 3600 + (randomKey % (9 * 3600))

export function* organizationRows(
  plan: Plan,
  { organizations: chosenOrganizations }: Enterprise,
): Generator<Row, void, void> {
  const stream = streams(plan.seed)('organizations')
  for (const [index, { name, slug, locale, timezone }] of chosenOrganizations.entries())
    yield [
      index + 1,
      name,
      slug,
      locale,
      timezone,
      JSON.stringify({ week_starts_on: 'monday', time_format: '24h', retention_days: 420, locales: localesOf(index) }),
      formatTimestamp(foundingDay(plan) + index * 30, secondInOfficeHours(randomUint32(stream, index))),
    ]
}

function localesOf(organization: number): string[] {
  const offices = Array.from(
    { length: OFFICES_PER_ORGANIZATION },
    (_, index) => organization * OFFICES_PER_ORGANIZATION + index,
  )
  return [...new Set([...offices.map((office) => officeAt(office).country.locale), 'en'])]
}

export function* brandRows(plan: Plan, enterprise: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('brands')
  for (const [index, { organization, brand, created }] of enterprise.brands.entries()) {
    const second = secondInOfficeHours(randomUint32(stream, index))
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
      JSON.stringify(brandSettings(index, brand)),
      formatTimestamp(created, second),
      formatTimestamp(created + randomBelow(stream, 100 + index, plan.asOf - created), second),
    ]
  }
}

/** Every second brand takes applications by e-mail, and the others on a web page. */
function brandSettings(index: number, { slug }: Brand) {
  return {
    tone: index % 2 === 0 ? 'plain' : 'warm',
    show_pay: true,
    reply_within_days: 10,
    apply:
      index % 2 === 0
        ? { url: `https://jobs.${slug}.example/{locale}/apply/{code}` }
        : { email: `jobs@${slug}.example` },
  }
}

export function* siteRows(plan: Plan, enterprise: Enterprise): Generator<Row, void, void> {
  const stream = streams(plan.seed)('sites')
  for (const [index, site] of enterprise.sites.entries()) {
    const brand = enterprise.brands[site.brand]?.brand as Brand
    const { country } = officeAt(site.office)
    const second = secondInOfficeHours(randomUint32(stream, index))
    yield [
      index + 1,
      site.name,
      site.slug,
      siteHeadlines[site.brand % siteHeadlines.length] as string,
      siteIntroductions[site.brand % siteIntroductions.length] as string,
      brand.colors[0],
      brand.colors[1],
      // No host has such a file: the browser would request it with every page and leave a gap in its place.
      null,
      `https://www.${brand.slug}.example/${country.code.toLowerCase()}/privacy`,
      site.active ? `${country.code.toLowerCase()}.jobs.${brand.slug}.example` : null,
      site.active ? 1 : 0,
      formatTimestamp(site.created, second),
      formatTimestamp(site.created + randomBelow(stream, 100 + index, plan.asOf - site.created), second),
    ]
  }
}

/**
 * Maximum number of employees in a team. If a department has more employees in one office, they are split into crews.
 */
const TEAM_SIZE = 12
const CREW_NAMES = [
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

/**
 * Yields one tree of teams per organization: the organization itself, its offices, their departments, and the crews of
 * large departments.
 */
export function* teamRows(plan: Plan, enterprise: Enterprise, people: People): Generator<Row, void, void> {
  const memberCounts = countMembers(plan, people)
  let id = 0
  for (const [organization, { name }] of enterprise.organizations.entries()) {
    const rootTeam = ++id
    yield [rootTeam, organization + 1, null, name, null, null, JSON.stringify({ kind: 'organization' })]
    for (let index = 0; index < OFFICES_PER_ORGANIZATION; index++) {
      const office = organization * OFFICES_PER_ORGANIZATION + index
      const { city, country } = officeAt(office)
      const officeTeam = ++id
      yield [
        officeTeam,
        organization + 1,
        rootTeam,
        city,
        country.code,
        null,
        JSON.stringify({ kind: 'office', locale: country.locale }),
      ]
      for (let department = 0; department < plan.departments; department++) {
        const memberCount = memberCounts[office * plan.departments + department] as number
        if (memberCount === 0) continue
        const departmentTeam = ++id
        const departmentTitle = `${departmentNames[department]?.name}, ${city}`
        yield [
          departmentTeam,
          organization + 1,
          officeTeam,
          departmentTitle,
          country.code,
          department + 1,
          JSON.stringify({ kind: 'department' }),
        ]
        const crews = memberCount > TEAM_SIZE ? Math.ceil(memberCount / TEAM_SIZE) : 0
        for (let crew = 0; crew < crews; crew++)
          yield [
            ++id,
            organization + 1,
            departmentTeam,
            crewName(departmentTitle, crew),
            country.code,
            department + 1,
            JSON.stringify({ kind: 'crew' }),
          ]
      }
    }
  }
}

function crewName(departmentTitle: string, crew: number): string {
  const nameRound = Math.floor(crew / CREW_NAMES.length)
  return `${departmentTitle}: ${CREW_NAMES[crew % CREW_NAMES.length]}${nameRound === 0 ? '' : ` ${nameRound + 1}`}`
}

function countMembers(plan: Plan, people: People): Int32Array {
  const memberCounts = new Int32Array(plan.offices * plan.departments)
  for (let employee = 0; employee < people.count; employee++) {
    if (people.leftOn[employee] !== NEVER || (people.joinedOn[employee] as number) > plan.asOf) continue
    const index = (people.office[employee] as number) * plan.departments + (people.department[employee] as number)
    memberCounts[index] = (memberCounts[index] as number) + 1
  }
  return memberCounts
}
