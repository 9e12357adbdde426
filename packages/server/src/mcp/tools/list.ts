import { resourceAt } from '@muster/model'
import { pathWithQuery } from '../api.ts'
import type { Filters, PageArguments } from '../arguments.ts'
import {
  fieldsSchema,
  filterQuery,
  filtersSchema,
  limitSchema,
  offsetSchema,
  resourceSchema,
  searchSchema,
  sortSchema,
} from '../arguments.ts'
import { selectFields } from '../records.ts'
import { tool } from '../tool.ts'

const defaultLimit = 20
/** With more, a page of long texts would take megabytes, of which a result shows 20 kB. */
const maxWithTexts = 20

interface ListArguments extends PageArguments {
  readonly resource: string
  readonly filters?: Filters
  readonly q?: string
  readonly sort?: string
  readonly fields?: readonly string[]
}

export const list = tool<ListArguments>({
  name: 'list',
  description: `Records of a resource, ${defaultLimit} by default, with the exact total. "source" is the URL path of the list on the service; with &format=csv added it is a file of all records.`,
  properties: {
    resource: resourceSchema,
    filters: {
      ...filtersSchema,
      description:
        'By name; see describe. An array means any of its values: {"status":["active","on_leave"],"date_of_joining_from":"2026-01-01","manager.branch":"Oslo"}',
    },
    q: { ...searchSchema, description: 'Words that the text of the record contains' },
    sort: { ...sortSchema, description: 'Fields separated by commas; - for descending: "-applied_on,id"' },
    fields: {
      ...fieldsSchema,
      description:
        'Also of related records: ["from_date","employee.last_name"]. Long texts, URLs and JSON are shown only if named',
    },
    limit: limitSchema,
    offset: { ...offsetSchema, description: '"next" of the page before' },
  },
  required: ['resource'],
  async run({ resource: path, filters = {}, q, sort, fields, limit = defaultLimit, offset = 0 }, api) {
    const selection = selectFields(resourceAt(path), fields)
    const matching = { q, ...filterQuery(filters), sort }
    const window = { limit: selection.hasTexts ? Math.min(limit, maxWithTexts) : limit, offset }
    const { data, meta } = await api.get(`/v1/${path}`, { ...matching, ...selection.query, ...window })
    return {
      about: {
        source: `/api${pathWithQuery(`/v1/${path}`, matching)}`,
        ...(selection.leftOut.length === 0 ? {} : { left_out: selection.leftOut }),
      },
      rows: data.map(selection.rowOf),
      offset,
      total: meta.total,
    }
  },
})
