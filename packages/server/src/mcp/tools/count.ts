import { maxGroupings } from '@muster/model'
import type { Filters, PageArguments } from '../arguments.ts'
import { filterQuery, filtersSchema, limitSchema, offsetSchema, resourceSchema, searchSchema } from '../arguments.ts'
import { pageOf } from '../pages.ts'
import { tool } from '../tool.ts'

interface CountArguments extends PageArguments {
  readonly resource: string
  readonly by?: readonly string[]
  readonly filters?: Filters
  readonly q?: string
}

export const count = tool<CountArguments>({
  name: 'count',
  description:
    'Exact number of records, or of each group, largest first. "records" is the number of all matching records.',
  properties: {
    resource: resourceSchema,
    by: {
      type: 'array',
      items: { type: 'string' },
      maxItems: maxGroupings,
      description: 'Groupings; see describe: ["stage"], ["candidate.source","month(applied_on)"]',
    },
    filters: { ...filtersSchema, description: 'As in list' },
    q: searchSchema,
    limit: limitSchema,
    offset: offsetSchema,
  },
  required: ['resource'],
  async run({ resource: path, by = [], filters = {}, q, ...page }, api) {
    const matching = { q, ...filterQuery(filters) }
    if (by.length === 0) {
      const { meta } = await api.get(`/v1/${path}`, { ...matching, fields: 'id', limit: 1 })
      return { about: { records: meta.total }, rows: [{ values: { count: meta.total } }], offset: 0, total: 1 }
    }
    const { data, meta } = await api.get(`/v1/counts/${path}`, { ...matching, by: by.join(',') })
    const groups = (data as readonly { readonly count: number }[]).toSorted((a, b) => b.count - a.count)
    return { about: { records: meta.total }, ...pageOf(groups, page) }
  },
})
