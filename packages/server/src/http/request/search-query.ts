import type { SearchedResource } from '@muster/model'
import { isLongerThan, maxSearchLength, searchLimits } from '@muster/model'
import type { RankedSearchQuery } from '../../queries/ranked-search/query.ts'
import { splitTerms } from './list-query.ts'
import type { Parameters, ReportViolation } from './query-string.ts'
import { readInteger, readParameters } from './query-string.ts'

/** `searched` are the resources as the client may see them. */
export const readSearchQuery = (searched: readonly SearchedResource[], parameters: Parameters): RankedSearchQuery =>
  readParameters(parameters, (report) => {
    const terms = readTerms(parameters, report)
    return {
      text: terms.join(' '),
      terms: [...new Set(terms)],
      resources: readResources(searched, parameters, report),
      limit: readLimit(parameters, report),
    }
  })

/** Without a term there is nothing to rank, so a blank `q` is an error like a missing one. */
const readTerms = (parameters: Parameters, report: ReportViolation): readonly string[] => {
  const parameter = parameters.get('q')
  const terms = splitTerms(parameter?.text ?? '')
  if (parameter?.isUnicode === false) report('q', { type: 'string_unicode' })
  else if (isLongerThan(parameter?.text ?? '', maxSearchLength))
    report('q', { type: 'string_too_long', ctx: { max_length: maxSearchLength } })
  else if (terms.length === 0) report('q', { type: 'missing' })
  return terms
}

const readResources = (
  searched: readonly SearchedResource[],
  parameters: Parameters,
  report: ReportViolation,
): readonly SearchedResource[] => {
  const parameter = parameters.get('resource')
  if (parameter === undefined || parameter.text.trim() === '') return searched
  const paths = new Set(parameter.text.split(','))
  const named = searched.filter(({ path }) => paths.has(path))
  if (!parameter.isUnicode) report('resource', { type: 'string_unicode' })
  else if (named.length < paths.size)
    report('resource', { type: 'literal_error', ctx: { expected: searched.map(({ path }) => path).join(', ') } })
  return named
}

const readLimit = (parameters: Parameters, report: ReportViolation): number => {
  const { defaultLimit, minLimit, maxLimit } = searchLimits
  const limit = readInteger(parameters.get('limit')?.text ?? String(defaultLimit), { ge: minLimit, le: maxLimit })
  if ('value' in limit) return Number(limit.value)
  report('limit', limit.violation)
  return defaultLimit
}
