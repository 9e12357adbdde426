/** The published postings of a site in memory, and which of them are visible at a moment. */
import { languageTag } from './locales.ts'
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

/** PostgreSQL has dates that JavaScript has not, such as infinity. */
const momentText = (ms: number): string | undefined =>
  ms >= firstMs && ms <= lastMs ? new Date(ms).toISOString() : undefined
const firstMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

export const dayText = (ms: number): string | undefined => momentText(ms)?.slice(0, 10)

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

  constructor(published: readonly IndexedPosting[], now: number) {
    const visible = published.filter((posting) => isVisible(posting, now))
    const byLocale = Map.groupBy(visible, ({ locale }) => locale)
    this.since = now
    this.expiresAt = nextChange(published, now)
    this.#byLocale = new Map(
      [...byLocale].map(([locale, postings]) => [locale, { postings, choices: choicesOf(locale, postings) }]),
    )
  }

  in(locale: string): LocalePostings {
    return this.#byLocale.get(locale) ?? { postings: [], choices: choicesOf(locale, []) }
  }

  /** In all locales, by id: in the order of their dates, a new posting would change every page of a sitemap. */
  all(): readonly IndexedPosting[] {
    this.#all ??= [...this.#byLocale.values()].flatMap(({ postings }) => postings).sort((a, b) => a.id - b.id)
    return this.#all
  }
}

const nextChange = (postings: readonly IndexedPosting[], now: number): number | undefined => {
  let next = Infinity
  for (const { startsMs, endsMs } of postings) {
    if (startsMs > now && startsMs < next) next = startsMs
    if (endsMs > now && endsMs < next) next = endsMs
  }
  return next === Infinity ? undefined : next
}

const maxChoices = 200

const choicesOf = (locale: string, postings: readonly IndexedPosting[]): FilterChoices => {
  const [departments, contracts, workplaces, places] = Array.from({ length: 4 }, () => new Set<string | undefined>())
  for (const { department, employmentType, remotePolicy, location } of postings) {
    departments?.add(department)
    contracts?.add(employmentType)
    workplaces?.add(remotePolicy)
    places?.add(location)
  }
  const { compare } = new Intl.Collator(languageTag(locale) ?? 'en')
  const choices = (values: Iterable<string | undefined> = []): readonly string[] =>
    [...values]
      .filter((value) => value !== undefined)
      .sort(compare)
      .slice(0, maxChoices)
  return {
    department: choices(departments),
    contract: choices(contracts),
    workplace: choices(workplaces),
    place: choices(places),
  }
}

/** Estimated memory of a posting without its texts, and of a site, in bytes. Measured: 250 with short texts. */
const postingBytes = 220
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
    let length = 0
    for (const { slug, title, location = '', department = '' } of this.published)
      length += slug.length + title.length + location.length + department.length
    return siteBytes + this.published.length * postingBytes + length * 2
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
  { department, contract, workplace, place }: ListFilters,
  jobIds: ReadonlySet<number> | undefined,
): readonly IndexedPosting[] => {
  const matches = (filter: string, value: string | undefined): boolean => filter === '' || filter === value
  return postings.filter(
    (posting) =>
      matches(department, posting.department) &&
      matches(contract, posting.employmentType) &&
      matches(workplace, posting.remotePolicy) &&
      matches(place, posting.location) &&
      (jobIds === undefined || jobIds.has(posting.jobId)),
  )
}
