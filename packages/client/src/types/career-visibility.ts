import type { ColorUse, HiddenReason, PostingProperty, PostingState, Publication } from '@muster/model'

interface PageQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export type CareerSitesQuery = PageQuery

export interface HiddenPostingsQuery extends PageQuery {
  readonly locale?: string | undefined
  readonly reason?: HiddenReason | undefined
}

interface PageMeta {
  readonly total: number
  readonly limit: number
  readonly offset: number
}

export interface ColorInTheme {
  /** With the background of the page, rounded down to two decimals. */
  readonly contrast: number
  readonly uses: readonly ColorUse[]
}

export interface CareerSiteColor {
  readonly field: 'brand_color' | 'accent_color'
  readonly value: string
  /** Null if the value is no colour that career sites can use. */
  readonly light: ColorInTheme | null
  readonly dark: ColorInTheme | null
}

/** The postings in one locale, as numbers by status. */
export type CareerSiteLocale = { readonly [N in Publication]: number } & {
  readonly locale: string
  /** Path of the list of jobs; null if there is no such page. */
  readonly path: string | null
  /** The path, with `/api`, of the list behind each number. */
  readonly links: { readonly [N in Publication]?: string }
}

export interface CareerSiteVisibility {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly is_active: boolean
  readonly custom_domain: string | null
  /** Path of the site; null if it is not active. */
  readonly path: string | null
  readonly colors: readonly CareerSiteColor[]
  readonly locales: readonly CareerSiteLocale[]
}

export interface CareerSitesPage {
  readonly data: CareerSiteVisibility[]
  readonly meta: PageMeta & { readonly min_contrast: number }
}

/** A posting that search engines do not get. */
export interface HiddenPosting {
  /** Id of the job distribution. */
  readonly id: number
  readonly job_id: number
  readonly code: string | null
  readonly title: string
  readonly locale: string
  readonly slug: string
  /** Path of its page; null if it is not visible. */
  readonly path: string | null
  readonly state: PostingState
  /** What a visible posting lacks. */
  readonly missing: readonly PostingProperty[]
}

export interface HiddenPostingsPage {
  readonly data: HiddenPosting[]
  readonly meta: PageMeta & {
    /** Path of the site; null if it is not active. */
    readonly path: string | null
    /** The locales of all postings of the site. */
    readonly locales: readonly string[]
    /** Number of all postings of the site in the requested locale, and of those that search engines get. */
    readonly postings: number
    readonly listed: number
    readonly reasons: { readonly reason: HiddenReason; readonly count: number; readonly link: string | null }[]
  }
}
