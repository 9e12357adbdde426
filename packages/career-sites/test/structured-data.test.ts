/**
 * JSON-LD of job pages, for all jobs of a demo company and for postings that lack something: every property is in a
 * table written from the documentation of Google and schema.org, and every value is in the text of the page.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
// @ts-expect-error The package has no declarations.
import jsonld from 'jsonld'
import { pick, pickSome, randomNumbers } from '../../../tests/support/random.ts'
import { frameLocaleOf } from '../src/locales/locales.ts'
import { frameLanguages, textsIn } from '../src/locales/texts/texts.ts'
import type { Posting } from '../src/postings/posting.ts'
import { defaultSettings } from '../src/postings/settings.ts'
import { renderJob } from '../src/rendering/pages.ts'
import type { DemoPosting } from './demo-postings.ts'
import { demoPostings } from './demo-postings.ts'
import { posting, site } from './samples.ts'

/** The page that a value must be in. */
interface ShownPage {
  readonly posting: Posting
  /** Language of the texts around the posting, and the locale of numbers and dates. */
  readonly language: (typeof frameLanguages)[number]
  readonly formats: string
}

interface Property {
  readonly required?: true
  /** Type of a nested value. */
  readonly type?: string
  /** Whether a value that is not nested is well formed. */
  readonly isValid?: (value: unknown) => boolean
  /** The texts of the page that show the value; any of the texts in an inner array is enough. */
  readonly shownAs?: (value: string, page: ShownPage) => readonly (string | readonly string[])[]
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isAmount = (value: unknown): boolean => typeof value === 'number' && value > 0
const isHttpsUrl = (value: unknown): boolean => /^https:\/\/[^/]+\/\S*$/.test(String(value))
const asItIs = (value: string): string[] => [value]
/** A formatter takes longer to create than a page to render. */
const once = <T>(create: (locale: string) => T): ((locale: string) => T) => {
  const created = new Map<string, T>()
  return (locale) => {
    const value = created.get(locale) ?? create(locale)
    created.set(locale, value)
    return value
  }
}
const dateFormat = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))
const numberFormat = once((locale) => new Intl.NumberFormat(locale))
const regionNames = once((locale) => new Intl.DisplayNames(locale, { type: 'region' }))
const asDate = (value: string, { formats }: ShownPage): string[] => [dateFormat(formats).format(new Date(value))]
const asNumber = (value: string, { formats }: ShownPage): string[] => [numberFormat(formats).format(Number(value))]
/** The page shows the country as the record names it: in one of the languages, or by its code. */
const asCountry = (code: string): [string[]] => [
  [...frameLanguages.map((language) => regionNames(language).of(code) ?? code), code],
]

const contractOf: Readonly<Record<string, string>> = {
  FULL_TIME: 'full_time',
  PART_TIME: 'part_time',
  CONTRACTOR: 'contract',
  INTERN: 'intern',
}

/** The types and properties that Google documents for job postings. Others must not occur. */
const table: Readonly<Record<string, Readonly<Record<string, Property>>>> = {
  JobPosting: {
    title: { required: true, isValid: isText, shownAs: asItIs },
    description: {
      required: true,
      isValid: (value) => /^<(?:p|[uo]l)[ >].*<\/(?:p|[uo]l)>$/s.test(String(value)),
      shownAs: (value) => [...value.matchAll(/<(p|li)\b.*?<\/\1>/gs)].map(([block]) => plainText(block)),
    },
    datePosted: {
      required: true,
      isValid: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
      shownAs: asDate,
    },
    hiringOrganization: { required: true, type: 'Organization' },
    jobLocation: { type: 'Place' },
    jobLocationType: {
      isValid: (value) => value === 'TELECOMMUTE',
      shownAs: (_, { language }) => [String(textsIn(language).workplaces.remote)],
    },
    applicantLocationRequirements: { type: 'Country' },
    employmentType: {
      isValid: (value) => value === 'OTHER' || String(value) in contractOf,
      shownAs: (value, page) => [
        value === 'OTHER'
          ? String(page.posting.employmentType)
          : String(textsIn(page.language).contracts[String(contractOf[value])]),
      ],
    },
    baseSalary: { type: 'MonetaryAmount' },
    identifier: { type: 'PropertyValue' },
    validThrough: { isValid: (value) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(String(value)), shownAs: asDate },
    directApply: { isValid: (value) => value === false },
  },
  Organization: { name: { required: true, isValid: isText, shownAs: asItIs }, logo: { isValid: isHttpsUrl } },
  Place: { address: { required: true, type: 'PostalAddress' } },
  PostalAddress: {
    addressCountry: {
      required: true,
      isValid: (value) => /^[A-Z]{2}$/.test(String(value)),
      shownAs: asCountry,
    },
    addressLocality: { isValid: isText, shownAs: asItIs },
  },
  Country: {
    name: { required: true, isValid: (value) => /^[A-Z]{2}$/.test(String(value)), shownAs: asCountry },
  },
  MonetaryAmount: {
    currency: {
      required: true,
      isValid: (value) => /^[A-Z]{3}$/.test(String(value)),
      shownAs: (currency, { formats }) =>
        new Intl.NumberFormat(formats, { style: 'currency', currency })
          .formatToParts(0)
          .filter(({ type }) => type === 'currency')
          .map(({ value }) => value),
    },
    value: { required: true, type: 'QuantitativeValue' },
  },
  QuantitativeValue: {
    value: { isValid: isAmount, shownAs: asNumber },
    minValue: { isValid: isAmount, shownAs: asNumber },
    maxValue: { isValid: isAmount, shownAs: asNumber },
    unitText: {
      required: true,
      isValid: (value) => value === 'YEAR',
      shownAs: (_, { language }) => textsIn(language).perYear.split('{pay}'),
    },
  },
  PropertyValue: {
    name: { required: true, isValid: isText, shownAs: asItIs },
    value: { required: true, isValid: isText, shownAs: asItIs },
  },
}

const namespace = 'http://schema.org/'

/** A context with the properties of the table only, each within its type, so that no other property can be expanded. */
const context = {
  '@context': {
    '@version': 1.1,
    ...Object.fromEntries(
      Object.entries(table).map(([type, properties]) => [
        type,
        {
          '@id': namespace + type,
          '@context': Object.fromEntries(Object.keys(properties).map((name) => [name, namespace + name])),
        },
      ]),
    ),
  },
}

interface Node {
  readonly '@type'?: readonly string[]
  readonly '@value'?: unknown
  readonly [property: string]: unknown
}

/** With `safe`, a type or property that is not in the table is an error. */
const expand = async (data: object): Promise<Node> => {
  const documentLoader = (documentUrl: string) => {
    assert.equal(documentUrl, 'https://schema.org/')
    return { contextUrl: null, document: context, documentUrl }
  }
  const nodes = (await jsonld.expand(data, { documentLoader, safe: true })) as Node[]
  assert.equal(nodes.length, 1)
  return nodes[0] as Node
}

/** Checks a node against the table. Returns the properties of the node and of those within it. */
const checkNode = (node: Node, type: string, visible: string, page: ShownPage): string[] => {
  const properties = table[type] ?? {}
  const { '@type': types, ...values } = node
  assert.deepEqual(types, [namespace + type])
  for (const [name, { required }] of Object.entries(properties))
    assert.ok(!required || namespace + name in values, `${type} has no ${name}`)
  return Object.entries(values).flatMap(([iri, list]) => {
    const name = iri.slice(namespace.length)
    const property = properties[name]
    assert.ok(property !== undefined, iri)
    const [value, ...more] = list as Node[]
    assert.ok(value !== undefined && more.length === 0, `${name} has ${more.length + 1} values`)
    if (property.type !== undefined) return [name, ...checkNode(value, property.type, visible, page)]
    assert.ok(property.isValid?.(value['@value']), `${name}: ${JSON.stringify(value)}`)
    for (const text of property.shownAs?.(String(value['@value']), page) ?? []) {
      const choices = (typeof text === 'string' ? [text] : text).map(oneLine)
      assert.ok(
        choices.some((choice) => visible.includes(choice)),
        `${name} ${choices} is not in: ${visible}`,
      )
    }
    return [name]
  })
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const plainText = (markup: string): string =>
  oneLine(markup.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The data in the page, and the text that a visitor sees. */
const readPage = (text: string): { data: object | undefined; visible: string } => {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  const visible = plainText(text.slice(text.indexOf('<main'), text.indexOf('</main>')))
  return { data: json === undefined ? undefined : (JSON.parse(json) as object), visible }
}

/** Checks the data of a page. Returns the names of its properties, or undefined if it has no data. */
const checkPage = async ({ site: ofSite, posting: shown }: DemoPosting): Promise<string[] | undefined> => {
  const { locale } = shown
  const { text } = renderJob(ofSite, locale, { posting: shown, alternates: [], others: [] })
  const { data, visible } = readPage(text)
  if (data === undefined) return undefined
  const { language, formats } = frameLocaleOf(locale)
  const names = checkNode(await expand(data), 'JobPosting', visible, { posting: shown, language, formats })
  const hasPlace = names.includes('jobLocation')
  assert.equal(hasPlace, !names.includes('jobLocationType'))
  assert.equal(hasPlace, !names.includes('applicantLocationRequirements'))
  // The description is complete: whatever the page shows of it is also in the data.
  const description = plainText((data as { description: string }).description)
  for (const line of [shown.description, shown.requirements].flatMap((whole) => whole?.split('\n') ?? []))
    assert.ok(description.includes(oneLine(line.replace(/^- /, ''))), `${line} is not in: ${description}`)
  return names
}

/** What may be wrong with a posting, and what that does to its data. */
interface Flaw {
  readonly change: Partial<Posting>
  /** The data is left out. */
  readonly isFatal?: true
  /** The property is left out. */
  readonly without?: string
}

const flaws: Readonly<Record<string, readonly Flaw[]>> = {
  title: [{ change: { title: ' ' }, isFatal: true }, { change: { title: `"'></script><script>&lt;` } }],
  texts: [
    { change: { description: undefined, requirements: undefined }, isFatal: true },
    { change: { description: ' \n\u2028', requirements: '\r\n' }, isFatal: true },
    { change: { requirements: undefined } },
    { change: { description: undefined } },
  ],
  posted: [{ change: { postedAt: undefined }, isFatal: true }],
  place: [
    { change: { location: undefined }, isFatal: true },
    { change: { location: 'Somewhere' }, isFatal: true },
    { change: { location: 'Brussels, European Union' }, isFatal: true },
    { change: { location: 'Portugal' }, without: 'addressLocality' },
    { change: { location: 'Wien, AT' } },
    { change: { location: '東京, 日本' } },
  ],
  brand: [
    { change: { brandId: undefined }, isFatal: true },
    { change: { brandId: 'cannot apply' }, isFatal: true },
    { change: { brandId: 'hides pay' }, without: 'baseSalary' },
  ],
  pay: [
    { change: { payMin: undefined, payMax: undefined }, without: 'baseSalary' },
    { change: { payMin: 0, payMax: -1 }, without: 'baseSalary' },
    { change: { payMin: 2, payMax: 1 }, without: 'baseSalary' },
    { change: { payMin: 0.4, payMax: Number.POSITIVE_INFINITY }, without: 'baseSalary' },
    { change: { currency: undefined }, without: 'baseSalary' },
    { change: { currency: 'XXQ' }, without: 'baseSalary' },
    { change: { payMin: undefined }, without: 'minValue' },
    { change: { payMin: 31_000, payMax: 31_000 }, without: 'minValue' },
    { change: { payMin: 31_000.5, payMax: 32_000.25 } },
  ],
  contract: [
    { change: { employmentType: undefined }, without: 'employmentType' },
    { change: { employmentType: 'seasonal' } },
    { change: { employmentType: 'constructor' } },
  ],
  code: [{ change: { code: undefined }, without: 'identifier' }, { change: { code: '</script>' } }],
  workplace: [{ change: { remotePolicy: undefined } }, { change: { remotePolicy: 'sometimes' } }],
  department: [{ change: { department: undefined } }],
}

/** Brands that a flaw refers to. */
const flawedBrands = {
  'cannot apply': { name: 'Planners', logoUrl: undefined, settings: defaultSettings },
  'hides pay': {
    name: 'Planners',
    logoUrl: undefined,
    settings: { ...defaultSettings, applyEmail: 'jobs@planners.example', showPay: false },
  },
}

describe('the structured data of a job page', () => {
  let postings: readonly DemoPosting[]
  before(() => {
    // Every fourth of 1,000, because each page is parsed and validated.
    postings = demoPostings('medium').filter((_, index) => index % 4 === 0)
  })

  it('has every required property, and only values that the page shows, for 250 demo jobs', async () => {
    const locales = new Set(postings.map(({ posting: { locale } }) => locale))
    assert.deepEqual([postings.length, locales.size > 12], [250, true], [...locales].join())
    const counts: Record<string, number> = {}
    for (const each of postings) {
      const names = await checkPage(each)
      assert.ok(names !== undefined, JSON.stringify(each.posting))
      for (const name of names) counts[name] = (counts[name] ?? 0) + 1
    }
    // Demo jobs have all recommended properties too; some have no place, because they are remote.
    for (const name of ['employmentType', 'baseSalary', 'identifier', 'directApply', 'logo'])
      assert.equal(counts[name], 250, name)
    const remote = postings.filter(({ posting: { remotePolicy } }) => remotePolicy === 'remote').length
    assert.ok(remote > 25)
    assert.deepEqual([counts.applicantLocationRequirements, counts.addressLocality], [remote, 250 - remote])
  })

  it('is left out if a required property is missing or nobody can apply, and loses only what is wrong, for 200 flawed jobs', async () => {
    const random = randomNumbers(1)
    const results = { leftOut: 0, complete: 0 }
    for (let index = 0; index < 200; index += 1) {
      // Each flaw alone, then random combinations.
      const alone = Object.values(flaws).flat()[index]
      const chosen =
        alone === undefined
          ? pickSome(random, Object.values(flaws), 2 + (index % 2)).map((ofField) => pick(random, ofField))
          : [alone]
      const base = pick(random, postings)
      const changes: Partial<Posting> = Object.assign({}, ...chosen.map(({ change }) => change))
      const ofSite = { ...base.site, brands: new Map([...base.site.brands, ...Object.entries(flawedBrands)]) }
      const flawed = { ...base.posting, ...changes }
      const names = await checkPage({ site: ofSite, posting: flawed })
      const message = JSON.stringify(flawed)
      if (chosen.some(({ isFatal }) => isFatal)) {
        assert.equal(names, undefined, message)
        results.leftOut += 1
        continue
      }
      const lost = chosen.flatMap(({ without }) => without ?? [])
      const isRemote = flawed.remotePolicy === 'remote'
      const hasPay = !lost.includes('baseSalary')
      for (const [name, isExpected] of Object.entries({
        baseSalary: hasPay,
        minValue: hasPay && !lost.includes('minValue'),
        employmentType: !lost.includes('employmentType'),
        identifier: !lost.includes('identifier'),
        jobLocation: !isRemote,
        addressLocality: !isRemote && !lost.includes('addressLocality'),
      }))
        assert.equal(names?.includes(name), isExpected, `${name} of ${message}`)
      results.complete += 1
    }
    assert.ok(results.leftOut > 60 && results.complete > 60, JSON.stringify(results))
  })

  it('has the end of the posting period only if there is one', async () => {
    const endsAt = '2026-12-01T00:00:00.000Z'
    assert.equal((await checkPage({ site, posting: { ...posting, endsAt } }))?.includes('validThrough'), true)
    assert.equal((await checkPage({ site, posting }))?.includes('validThrough'), false)
  })

  it('cannot end its script element', () => {
    const hostile = { ...posting, title: '</script><script>alert(1)</script>', code: '<!--' }
    const { text } = renderJob(site, 'en', { posting: hostile, alternates: [], others: [] })
    assert.equal(text.match(/<script/g)?.length, 1)
    assert.equal((readPage(text).data as { title: string }).title, hostile.title)
  })
})
