/** Words for what the service says about postings and colours. */
import type { CareerSiteColor } from '@muster/client'
import type { ColorUse, HiddenReason, Publication } from '@muster/model'

export const publicationLabels: Readonly<Record<Publication, string>> = {
  published: 'Published',
  job_not_open: 'Job not open',
  draft: 'Draft',
  closed: 'Closed',
}

interface ReasonText {
  readonly label: string
  /** What the posting lacks or waits for, and where that is set. */
  readonly about: string
}

export const reasonTexts: Readonly<Record<HiddenReason, ReasonText>> = {
  title: { label: 'No title', about: 'Set the title of the job.' },
  description: { label: 'No description', about: 'Set the description or the requirements of the job.' },
  datePosted: { label: 'No date', about: 'Set published_at of the distribution or opened_on of the job.' },
  jobLocation: { label: 'No country', about: 'End the location of the job with a country: Lisboa, Portugal.' },
  apply: { label: 'No way to apply', about: 'Set apply.url or apply.email in the settings of its brand.' },
  site_inactive: { label: 'Site inactive', about: 'Everything else is in order: activate the career site.' },
  job_not_open: { label: 'Job not open', about: 'It is published, but its job does not have the status open.' },
  waiting: { label: 'Not started yet', about: 'It begins at published_at.' },
  ended: { label: 'Period ended', about: 'Its posting period, posting_days of its brand, has ended.' },
  draft: { label: 'Draft', about: 'It is not published.' },
  closed: { label: 'Closed', about: 'It is closed or archived.' },
}

/** Reasons that a correction of the records removes. The others are part of the life of a posting. */
export const isFault = (reason: HiddenReason): boolean =>
  ['title', 'description', 'datePosted', 'jobLocation', 'apply', 'job_not_open'].includes(reason)

export const colorLabels: Readonly<Record<CareerSiteColor['field'], string>> = {
  brand_color: 'Brand',
  accent_color: 'Accent',
}

const useLabels: Readonly<Record<ColorUse, string>> = { band: 'band', links: 'links', line: 'line' }

/** As in `band, links`; a colour that is only the line below the band carries no text. */
export const usesText = (uses: readonly ColorUse[]): string => {
  if (uses.length === 0) return 'not used'
  if (uses.every((use) => use === 'line')) return 'line only'
  return uses.map((use) => useLabels[use]).join(', ')
}

const contrasts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** As in `4.54 : 1`. */
export const formatContrast = (contrast: number): string => `${contrasts.format(contrast)} : 1`
