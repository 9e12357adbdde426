import type { FilterChoices, Posting, Site } from '../src/postings/posting.ts'
import { parseBrandSettings } from '../src/postings/settings.ts'

const { settings } = parseBrandSettings('{"apply":{"url":"https://apply.example/{code}"},"reply_within_days":10}')

export const site: Site = {
  id: '1',
  slug: 'planners',
  name: 'Planners & Sons',
  headline: 'Come in',
  introduction: 'We plan.',
  brandColor: '#12343b',
  accentColor: '#e1b382',
  logoUrl: undefined,
  privacyUrl: 'https://planners.example/privacy',
  customDomain: undefined,
  locales: ['de', 'en'],
  brands: new Map([['1', { name: 'Planners', logoUrl: undefined, settings }]]),
}

export const posting: Posting = {
  locale: 'de',
  slug: 'planner-1',
  title: 'Planner',
  brandId: '1',
  department: 'Planning',
  location: 'Berlin, Germany',
  remotePolicy: 'hybrid',
  employmentType: 'full_time',
  payMin: 45_300,
  payMax: 59_800,
  currency: 'EUR',
  postedMs: Date.parse('2026-09-17T08:30:00.000Z'),
  postedAt: '2026-09-17T08:30:00.000Z',
  endsAt: undefined,
  jobId: '11',
  code: 'REQ-11',
  description: 'You plan.\n\nEvery day.',
  requirements: '- Patience\n- A pencil',
}

export const noChoices: FilterChoices = { department: [], contract: [], workplace: [], place: [] }
