/** What keeps a posting from search engines, and what the colours of a site are used for. */
import type { ColorUse, HiddenReason, PostingProperty, PostingState, Publication } from '@muster/model'
import { postingStates } from '@muster/model'
import type { Theme } from '../colors.ts'
import { backgrounds, contrastOf, parseColor, themeOf } from '../colors.ts'
import type { IndexedPosting } from './site-postings.ts'
import { isVisible } from './site-postings.ts'

/** Statuses of job distributions and jobs that decide what is shown, compared exactly. */
export const publishedStatus = 'published'
export const openStatus = 'open'
export const draftStatus = 'draft'
export const closedStatuses = ['closed', 'archived'] as const

/** Only a published posting can be visible. A distribution with a status of its own invention counts as a draft: its page responds 404 too. */
export const publicationOf = (status: string, jobStatus: string | null): Publication => {
  if (closedStatuses.some((closed) => closed === status)) return 'closed'
  if (status !== publishedStatus) return 'draft'
  return jobStatus === openStatus ? 'published' : 'job_not_open'
}

/** `site_inactive`: it would be visible if the site were active. */
export const stateOf = (
  publication: Publication,
  posting: IndexedPosting,
  { isActive, now }: { readonly isActive: boolean; readonly now: number },
): PostingState => {
  if (publication !== 'published') return publication
  if (isVisible(posting, now)) return isActive ? 'visible' : 'site_inactive'
  return posting.startsMs > now ? 'waiting' : 'ended'
}

/** A posting that search engines do not get. `missing` is known for visible postings only. */
export interface HiddenPosting {
  /** The id of the job distribution. */
  readonly id: number
  readonly locale: string
  readonly state: PostingState
  readonly missing: readonly PostingProperty[]
}

export const reasonsOf = ({ state, missing }: Pick<HiddenPosting, 'state' | 'missing'>): readonly HiddenReason[] =>
  state === 'visible' ? missing : [state]

export const byState = (a: HiddenPosting, b: HiddenPosting): number =>
  postingStates.indexOf(a.state) - postingStates.indexOf(b.state) || b.id - a.id

export interface ColorInTheme {
  /** With the background of the page, rounded down, so that 4.5 is shown only if it is reached. */
  readonly contrast: number
  readonly uses: readonly ColorUse[]
}

export interface SiteColor {
  readonly field: 'brand_color' | 'accent_color'
  readonly value: string
  /** Null if the colour is not `#rgb` or `#rrggbb`, and therefore not used. */
  readonly light: ColorInTheme | null
  readonly dark: ColorInTheme | null
}

export const siteColorsOf = (brandColor: string, accentColor: string): readonly SiteColor[] => {
  const theme = themeOf(brandColor, accentColor)
  return [siteColor('brand_color', brandColor, theme), siteColor('accent_color', accentColor, theme)]
}

const siteColor = (field: SiteColor['field'], value: string, theme: Theme): SiteColor => {
  const color = parseColor(value)
  const inTheme = (mode: keyof typeof backgrounds): ColorInTheme | null =>
    color === undefined
      ? null
      : {
          contrast: Math.floor(contrastOf(color, backgrounds[mode]) * 100) / 100,
          uses: [
            ...(field === 'brand_color' && theme[mode].band === color ? (['band'] as const) : []),
            ...(theme[mode].link === color ? (['links'] as const) : []),
            ...(theme.bar === color ? (['line'] as const) : []),
          ],
        }
  return { field, value, light: inTheme('light'), dark: inTheme('dark') }
}
