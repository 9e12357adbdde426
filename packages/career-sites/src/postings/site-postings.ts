/** The published postings of a site in memory, and which of them are visible at a moment. */
import { storedIn } from '../locales/formatters.ts'
import { languageTag } from '../locales/locales.ts'
import type { FilterChoices, ListFilters, Posting, PostingSummary, Site } from './posting.ts'

/** All times are in milliseconds since 1970. */
export interface IndexedPosting extends PostingSummary {
  /** The id of the job distribution. */
  readonly id: number
  readonly jobId: number
  /** When it is or was published: the posting is visible from here on. -Infinity if it is always visible. */
  readonly startsMs: number
  /** The end of its posting period, when it is not visible any more. Infinity if it has none. */
  readonly endsMs: number
  /** Estimated memory. */
  readonly bytes: number
}

export const isVisible = ({ startsMs, endsMs }: IndexedPosting, now: number): boolean => startsMs <= now && now < endsMs

export type JobTexts = Pick<Posting, 'code' | 'description' | 'requirements'>

/** Texts of dates are made here, not for the index: they would be a third of the time to load it. */
export const withTexts = (posting: IndexedPosting, texts: JobTexts): Posting => ({
  ...posting,
  ...texts,
  jobId: String(posting.jobId),
  postedAt: posting.startsMs === -Infinity ? dayText(posting.postedMs) : momentText(posting.startsMs),
  endsAt: momentText(posting.endsMs),
})

const momentText = (ms: number): string | undefined => (isDate(ms) ? new Date(ms).toISOString() : undefined)
/** PostgreSQL has dates that JavaScript has not, such as infinity. */
export const isDate = (ms: number): boolean => ms >= firstMs && ms <= lastMs
const firstMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Formatting a date takes longer than the rest of a URL of a sitemap, and many postings have the same date. */
const dayTexts = new Map<number, string | undefined>()
const maxDayTexts = 10_000
const dayMs = 86_400_000
export const dayText = (ms: number): string | undefined =>
  isDate(ms) ? storedIn(dayTexts, maxDayTexts, Math.floor(ms / dayMs), () => momentText(ms)?.slice(0, 10)) : undefined

/** The visible postings in one locale. */
export interface LocalePostings {
  /** Newest first. */
  readonly postings: readonly IndexedPosting[]
  readonly choices: FilterChoices
}

export class VisiblePostings {
  readonly since: number
  /** The next moment at which a posting begins or ends; undefined if there is none. */
  readonly expiresAt: number | undefined
  readonly #byLocale: ReadonlyMap<string, LocalePostings>
  #all: readonly IndexedPosting[] | undefined

  /** One loop, because it runs after every write: each loop over 18,000 postings takes a millisecond. */
  constructor(published: readonly IndexedPosting[], now: number) {
    const groups = new Map<string, LocaleGroup>()
    let next = Infinity
    for (const posting of published) {
      const { startsMs, endsMs, locale } = posting
      if (startsMs > now) next = Math.min(next, startsMs)
      else if (now < endsMs) {
        next = Math.min(next, endsMs)
        const group = groups.get(locale) ?? newGroup()
        groups.set(locale, group)
        group.postings.push(posting)
        group.department.add(posting.department)
        group.contract.add(posting.employmentType)
        group.workplace.add(posting.remotePolicy)
        group.place.add(posting.location)
      }
    }
    this.since = now
    this.expiresAt = next === Infinity ? undefined : next
    this.#byLocale = new Map([...groups].map(([locale, group]) => [locale, localePostings(locale, group)]))
  }

  in(locale: string): LocalePostings {
    return this.#byLocale.get(locale) ?? localePostings(locale, newGroup())
  }

  /** In all locales, by id: in the order of their dates, a new posting would change every page of a sitemap. */
  all(): readonly IndexedPosting[] {
    this.#all ??= [...this.#byLocale.values()].flatMap(({ postings }) => postings).sort((a, b) => a.id - b.id)
    return this.#all
  }
}

type Values = Set<string | undefined>

interface LocaleGroup extends Readonly<Record<keyof FilterChoices, Values>> {
  readonly postings: IndexedPosting[]
}

const newGroup = (): LocaleGroup => ({
  postings: [],
  department: new Set(),
  contract: new Set(),
  workplace: new Set(),
  place: new Set(),
})

const maxChoices = 200
/** Without choices a visitor sees at once what this many postings offer. */
const maxUnfiltered = 5

const localePostings = (locale: string, group: LocaleGroup): LocalePostings => {
  const { compare } = new Intl.Collator(languageTag(locale) ?? 'en')
  const { postings, department, contract, workplace, place } = group
  const choices = (values: Values): readonly string[] => {
    const known = [...values].filter((value) => value !== undefined)
    return postings.length <= maxUnfiltered || known.length < 2 ? [] : known.sort(compare).slice(0, maxChoices)
  }
  return {
    postings,
    choices: {
      department: choices(department),
      contract: choices(contract),
      workplace: choices(workplace),
      place: choices(place),
    },
  }
}

/** Estimated memory of a site without its postings. */
const siteBytes = 50_000

export class SitePostings {
  readonly site: Site
  /** The published postings of open jobs, newest first, whether they are visible now or not. */
  readonly published: readonly IndexedPosting[]
  #visible: VisiblePostings | undefined

  constructor(site: Site, postings: readonly IndexedPosting[]) {
    this.site = site
    this.published = postings.toSorted(newestFirst)
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.published.reduce((sum, { bytes }) => sum + bytes, siteBytes)
  }

  /** Computed once for all pages until a posting begins or ends. */
  visibleAt(now: number): VisiblePostings {
    const { since = Infinity, expiresAt = Infinity } = this.#visible ?? {}
    if (this.#visible === undefined || now < since || now >= expiresAt)
      this.#visible = new VisiblePostings(this.published, now)
    return this.#visible
  }
}

const newestFirst = (a: IndexedPosting, b: IndexedPosting): number =>
  a.postedMs === b.postedMs ? b.id - a.id : a.postedMs > b.postedMs ? -1 : 1

/** `jobIds` are the jobs that contain the words of the filters; undefined if there are no words. */
export const filterPostings = (
  postings: readonly IndexedPosting[],
  filters: ListFilters,
  jobIds: ReadonlySet<number> | undefined,
): readonly IndexedPosting[] => {
  let found = postings
  for (const [filter, name] of filteredFields)
    if (filters[filter] !== '') found = found.filter((posting) => posting[name] === filters[filter])
  return jobIds === undefined ? found : found.filter(({ jobId }) => jobIds.has(jobId))
}

const filteredFields = [
  ['department', 'department'],
  ['contract', 'employmentType'],
  ['workplace', 'remotePolicy'],
  ['place', 'location'],
] as const
