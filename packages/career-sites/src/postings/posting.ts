/** What a career site shows. Built from the records by the queries; everything that is rendered comes from here. */
import type { BrandSettings } from './settings.ts'

export interface Brand {
  readonly name: string
  readonly logoUrl: string | undefined
  readonly settings: BrandSettings
}

export interface Site {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly headline: string | undefined
  readonly introduction: string | undefined
  readonly brandColor: string | undefined
  readonly accentColor: string | undefined
  readonly logoUrl: string | undefined
  readonly privacyUrl: string | undefined
  /** Host name in lower case. */
  readonly customDomain: string | undefined
  /** Locales with a posting that is or was published, those with most postings first. */
  readonly locales: readonly string[]
  /** By id. */
  readonly brands: ReadonlyMap<string, Brand>
}

/** A posting as a list shows it. */
export interface PostingSummary {
  readonly locale: string
  readonly slug: string
  readonly title: string
  readonly brandId: string | undefined
  readonly department: string | undefined
  readonly location: string | undefined
  readonly remotePolicy: string | undefined
  readonly employmentType: string | undefined
  readonly payMin: number | undefined
  readonly payMax: number | undefined
  readonly currency: string | undefined
  /** When it was published, else when the job was opened, in milliseconds since 1970; -Infinity if neither is known. */
  readonly postedMs: number
}

export interface Posting extends PostingSummary {
  /** When it was published, else the day on which the job was opened; a date or a date-time. */
  readonly postedAt: string | undefined
  /** The end of its posting period. */
  readonly endsAt: string | undefined
  readonly jobId: string
  readonly code: string | undefined
  readonly description: string | undefined
  readonly requirements: string | undefined
}

export interface Alternate {
  readonly locale: string
  readonly slug: string
}

/** The choices of each filter: values that postings have. Empty for a filter that is not offered. */
export interface FilterChoices {
  readonly department: readonly string[]
  readonly contract: readonly string[]
  readonly workplace: readonly string[]
  readonly place: readonly string[]
}

export interface ListFilters {
  readonly words: string
  readonly department: string
  readonly contract: string
  readonly workplace: string
  readonly place: string
}

export const noFilters: ListFilters = { words: '', department: '', contract: '', workplace: '', place: '' }

export const brandOf = (site: Pick<Site, 'brands'>, { brandId }: Pick<PostingSummary, 'brandId'>): Brand | undefined =>
  brandId === undefined ? undefined : site.brands.get(brandId)
