import type { ReadMode } from '../api-constants.ts'
import { maxItemIdLength, maxListedIds, pageLimits } from '../api-constants.ts'
import { colorUses, hiddenReasons, postingProperties, postingStates, publications } from '../career-visibility.ts'
import type { Operation, Parameter, PathItem, Schema } from './document.ts'
import { queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import {
  ifNoneMatchParameter,
  notModifiedResponse,
  preferParameter,
  readErrorResponses,
  readRefusedResponses,
  readSecurity,
} from './resource-operations.ts'
import { readHeaders, sharedResponse } from './shared-responses.ts'

export const careerVisibilityTag = {
  name: 'Career visibility',
  description: 'Which postings of career sites search engines get, and what keeps the others from them.',
}

export const careerVisibilityPaths = (examples: Examples, reads: ReadMode): Readonly<Record<string, PathItem>> => ({
  '/v1/career-visibility': { get: listCareerVisibility(examples, reads) },
  '/v1/career-visibility/{item_id}': { get: getCareerVisibility(examples, reads) },
})

const pageParameters = (titles: string): Parameter[] => [
  queryParameter('limit', `Maximum number of ${titles} in the page.`, {
    type: 'integer',
    minimum: pageLimits.minLimit,
    maximum: pageLimits.maxLimit,
    default: pageLimits.defaultLimit,
  }),
  queryParameter('offset', `Number of ${titles} to skip.`, {
    type: 'integer',
    minimum: pageLimits.minOffset,
    default: pageLimits.minOffset,
  }),
]

const commonResponses = (reads: ReadMode): Operation['responses'] => ({
  304: notModifiedResponse(),
  ...readRefusedResponses(reads),
  404: sharedResponse('NoCareerSite'),
  ...readErrorResponses(),
})

const listCareerVisibility = ({ operations }: Examples, reads: ReadMode): Operation => ({
  operationId: 'listCareerVisibility',
  tags: [careerVisibilityTag.name],
  summary: 'List the career sites with the numbers of their postings',
  description:
    'Every career site, active or not, by id: its path, its colours with their contrast, and the number of its postings by locale and status.',
  security: readSecurity[reads],
  parameters: [...pageParameters('career sites'), ifNoneMatchParameter(), preferParameter()],
  responses: {
    200: {
      description: 'The career sites; an empty list if there are none.',
      headers: readHeaders(),
      content: jsonContent(schemaRef('CareerVisibilityPage'), {
        sites: operations.listCareerVisibility?.answers[200],
      }),
    },
    ...commonResponses(reads),
    422: sharedResponse('InvalidQuery'),
  },
})

const getCareerVisibility = ({ operations }: Examples, reads: ReadMode): Operation => ({
  operationId: 'getCareerVisibility',
  tags: [careerVisibilityTag.name],
  summary: 'List the postings of a career site that search engines do not get',
  description:
    'Search engines get a posting if it is visible and has all required properties of `JobPosting` and a way to apply. Every other posting is listed with its state and, if it is visible, with what it lacks. Those that can be corrected come first.',
  security: readSecurity[reads],
  parameters: [
    {
      name: 'item_id',
      in: 'path',
      required: true,
      description: 'The `id` of the career site, in decimal digits.',
      schema: { type: 'string', minLength: 1, maxLength: maxItemIdLength, examples: ['1'] },
    },
    queryParameter('locale', 'Only postings with exactly this locale. A blank value is ignored.', { type: 'string' }),
    queryParameter('reason', 'Only postings that this keeps from search engines. A blank value is ignored.', {
      type: 'string',
      enum: hiddenReasons,
    }),
    ...pageParameters('postings'),
    ifNoneMatchParameter(),
    preferParameter(),
  ],
  responses: {
    200: {
      description: 'The postings; an empty list if search engines get all.',
      headers: readHeaders(),
      content: jsonContent(schemaRef('HiddenPostingsPage'), {
        postings: operations.getCareerVisibility?.answers[200],
      }),
    },
    ...commonResponses(reads),
    422: sharedResponse('InvalidItemId'),
  },
})

const described = (description: string, examples?: readonly string[]): Schema => ({
  type: 'string',
  description,
  ...(examples === undefined ? {} : { examples }),
})
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description })
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description })

const object = (description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description,
  required: Object.keys(properties),
  properties,
})

const list = (description: string, items: Schema): Schema => ({ type: 'array', description, items })

const colorInTheme = object('A colour in one theme.', {
  contrast: {
    type: 'number',
    minimum: 1,
    maximum: 21,
    description: 'Contrast ratio with the background of the page (WCAG 2.2), rounded down to two decimals.',
  },
  uses: list(
    'What the colour is used for: `band` behind the heading, `links` and buttons, `line` below the band.',
    described('One use.', colorUses),
  ),
})

const nullIfInvalid = (theme: string): Schema => ({
  anyOf: [schemaRef('CareerSiteColorInTheme'), { type: 'null' }],
  description: `In the ${theme} theme; null if the value is not \`#rgb\` or \`#rrggbb\`, so that the colour is not used.`,
})

const color = object('A colour of a career site.', {
  field: described('`brand_color` or `accent_color`.', ['brand_color', 'accent_color']),
  value: described('The value of the field.'),
  light: nullIfInvalid('light'),
  dark: nullIfInvalid('dark'),
})

const publicationTexts: Readonly<Record<(typeof publications)[number], string>> = {
  published: 'Number of published postings of open jobs. Some may begin later or be over.',
  job_not_open: 'Number of published postings whose job is not open.',
  draft: 'Number of postings that are neither published nor closed.',
  closed: 'Number of closed and archived postings.',
}

const locale = object('The postings in one locale.', {
  locale: described('The locale.'),
  path: textOrNull('Path of the list of jobs on this host; null if there is no such page.'),
  ...Object.fromEntries(publications.map((name) => [name, count(publicationTexts[name])])),
  links: {
    type: 'object',
    description: 'The path of the list behind each number that is not 0. Absent where no filter selects the postings.',
    additionalProperties: { type: 'string' },
  },
})

const site = object('A career site.', {
  id: { type: 'integer', description: 'Id of the career site.' },
  slug: described('Name in URLs.'),
  name: described('Name of the site.'),
  is_active: { type: 'boolean', description: 'Whether the site is shown.' },
  custom_domain: textOrNull('The domain of the site; null if it has none, or if it is not a host name.'),
  path: textOrNull('Path of the site on this host; null if the site is not active.'),
  colors: list('The colours of the site.', schemaRef('CareerSiteColor')),
  locales: list('The locales, those with most postings first.', schemaRef('CareerSiteLocale')),
})

const pageMeta = (total: string, properties: Readonly<Record<string, Schema>>): Schema =>
  object('Position of the page, and what holds for all pages.', {
    total: count(total),
    limit: { type: 'integer', minimum: 1, description: 'The page size that was applied.' },
    offset: count('Number of records skipped.'),
    ...properties,
  })

const sitesPage = object('Career sites, by id.', {
  data: list('The career sites.', schemaRef('CareerSiteVisibility')),
  meta: pageMeta('Number of career sites.', {
    min_contrast: { type: 'number', description: 'The least contrast that text must have.' },
  }),
})

const stateDescription = [
  'What keeps the posting from the public.',
  '`visible`: nothing, but it lacks what `missing` names.',
  '`site_inactive`: only that the site is not active.',
  '`job_not_open`: the job is not open.',
  '`waiting`: `published_at` is in the future.',
  '`ended`: its posting period is over.',
  '`draft`: it is neither published nor closed.',
  '`closed`: it is closed or archived.',
  'More states may be added.',
].join(' ')

const posting = object('A posting that search engines do not get.', {
  id: { type: 'integer', description: 'Id of the job distribution.' },
  job_id: { type: 'integer', description: 'Id of the job.' },
  code: textOrNull('Requisition number of the job.'),
  title: described('Title of the job.'),
  locale: described('Locale of the posting.'),
  slug: described('Name of the posting in URLs.'),
  path: textOrNull('Path of its page on this host; null if it is not visible.'),
  state: described(stateDescription, postingStates),
  missing: list(
    'What a visible posting lacks: required properties of `JobPosting`, and `apply` for a way to apply. Empty for other states.',
    described('One property.', postingProperties),
  ),
})

const reasonCount = object('How many postings a reason keeps from search engines.', {
  reason: described('A state or a missing property.', hiddenReasons),
  count: count('Number of postings. A posting that lacks several properties counts for each.'),
  link: textOrNull(`Path of the list of these postings; null if there are more than ${maxListedIds}.`),
})

const postingsPage = object('Postings that search engines do not get.', {
  data: list('The postings.', schemaRef('HiddenPosting')),
  meta: pageMeta('Number of postings that search engines do not get, for this reason if one was requested.', {
    path: textOrNull('Path of the site on this host; null if the site is not active.'),
    locales: list('The locales of all postings of the site.', described('One locale.')),
    postings: count('Number of all postings of the site in the requested locale.'),
    listed: count('Number of those that search engines get.'),
    reasons: list('How many each reason keeps from search engines.', schemaRef('HiddenReasonCount')),
  }),
})

export const careerVisibilitySchemas: Readonly<Record<string, Schema>> = {
  CareerSiteColorInTheme: colorInTheme,
  CareerSiteColor: color,
  CareerSiteLocale: locale,
  CareerSiteVisibility: site,
  CareerVisibilityPage: sitesPage,
  HiddenPosting: posting,
  HiddenReasonCount: reasonCount,
  HiddenPostingsPage: postingsPage,
}
