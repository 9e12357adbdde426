import { resourceAt } from '@muster/model'
import type { Api } from '../api.ts'
import { searchSchema } from '../arguments.ts'
import { selectFields } from '../records.ts'
import type { ResultRow } from '../result.ts'
import { startTimeLimit } from '../time-limit.ts'
import { tool } from '../tool.ts'
import { ToolError } from '../tool-error.ts'

/** The resources whose records have a name, and the fields by which a record is recognized. */
const searched: Readonly<Record<string, readonly string[]>> = {
  employees: ['code', 'first_name', 'last_name', 'designation', 'dept_id', 'manager_id', 'branch', 'status'],
  candidates: ['first_name', 'last_name', 'current_title', 'status', 'source'],
  jobs: ['code', 'title', 'dept_id', 'location', 'status'],
  departments: ['name'],
  'organization-teams': ['name', 'organization_id', 'department_id'],
  organizations: ['name', 'slug'],
  brands: ['name', 'slug', 'organization_id'],
  'career-sites': ['name', 'slug'],
}

const shownPerResource = 5
/** A client may use three quarters of the connections for searches. */
const concurrentSearches = 2

interface FindArguments {
  readonly text: string
}

interface Search {
  readonly path: string
  readonly total: number
  readonly rows: readonly ResultRow[]
  readonly error?: ToolError
}

export const find = tool<FindArguments>({
  name: 'find',
  description: `Records that contain all words, such as the name of a person, department or job opening: up to ${shownPerResource} of each of ${Object.keys(searched).join(', ')}. For more, use list with q.`,
  properties: { text: searchSchema },
  required: ['text'],
  async run({ text }, api) {
    if (text.trim() === '') throw new ToolError('The text is blank.')
    const searches = await searchAll(text, api)
    const failed = searches.filter(({ error }) => error !== undefined)
    if (failed.length === searches.length) throw failed[0]?.error
    const found = searches.filter(({ total }) => total > 0)
    return {
      about: {
        totals: Object.fromEntries(found.map(({ path, total }) => [path, total])),
        ...(failed.length === 0 ? {} : { failed: failed.map(({ path }) => path) }),
      },
      rows: found.flatMap(({ rows }) => rows),
      offset: 0,
      total: found.reduce((sum, { total }) => sum + total, 0),
      hasPages: false,
    }
  },
})

const searchAll = async (text: string, api: Api): Promise<Search[]> => {
  const remaining = Object.entries(searched).entries()
  const searches: Search[] = []
  const hasTime = startTimeLimit()
  const worker = async (): Promise<void> => {
    for (const [index, [path, fields]] of remaining)
      searches[index] = hasTime() ? await search(path, fields, text, api) : failedSearch(path, noTime)
  }
  await Promise.all(Array.from({ length: concurrentSearches }, worker))
  return searches
}

const search = async (path: string, fields: readonly string[], q: string, api: Api): Promise<Search> => {
  const { query, rowOf } = selectFields(resourceAt(path), fields)
  try {
    const { data, meta } = await api.get(`/v1/${path}`, { q, ...query, limit: shownPerResource })
    const rows = data.map((record: Readonly<Record<string, unknown>>) => {
      const { values } = rowOf(record)
      return { values: { resource: path, ...values } }
    })
    return { path, total: meta.total, rows }
  } catch (error) {
    if (error instanceof ToolError) return failedSearch(path, error)
    throw error
  }
}

const noTime = new ToolError('There was no time to search all resources: use list with q.')

const failedSearch = (path: string, error: ToolError): Search => ({ path, total: 0, rows: [], error })
