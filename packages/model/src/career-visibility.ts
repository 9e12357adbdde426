/** Career visibility: which postings search engines get, and what keeps the others from them. */

/** What can be corrected comes first, and what ended long ago last. */
export const postingStates = [
  'visible',
  'site_inactive',
  'job_not_open',
  'waiting',
  'ended',
  'draft',
  'closed',
] as const
export type PostingState = (typeof postingStates)[number]

/** What a visible posting can lack: properties of schema.org's JobPosting, and a way to apply. */
export const postingProperties = ['title', 'description', 'datePosted', 'jobLocation', 'apply'] as const
export type PostingProperty = (typeof postingProperties)[number]

export const hiddenReasons = [
  ...postingProperties,
  ...(postingStates.slice(1) as readonly Exclude<PostingState, 'visible'>[]),
] as const
export type HiddenReason = (typeof hiddenReasons)[number]

/** What the statuses of a job distribution and its job say. */
export const publications = ['published', 'job_not_open', 'draft', 'closed'] as const
export type Publication = (typeof publications)[number]

/** What a colour of a career site is used for. */
export const colorUses = ['band', 'links', 'line'] as const
export type ColorUse = (typeof colorUses)[number]

export const careerVisibilityParameters = {
  sites: ['limit', 'offset'],
  postings: ['locale', 'reason', 'limit', 'offset'],
} as const
