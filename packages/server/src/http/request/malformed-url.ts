import { basePath, listedResources, trackedResources } from '@muster/model'
import { Problem } from '../../errors.ts'
import { itemIdNotUnicode } from './list-query.ts'
import { percentDecode } from './query-string.ts'

/** The paths below which an item_id follows. */
const itemPaths = new Set([...listedResources.map(({ path }) => path), 'career-visibility'])

const historyPaths = new Set(trackedResources.map(({ path }) => path))

/**
 * The error for a URL whose percent-encoding the router cannot decode: 422 if an item_id is not UTF-8, else 404. The
 * router fails before it chooses a route, so the path is parsed here.
 */
export const malformedUrl = (url: string | undefined, error: Error & { code?: string }): Error => {
  if (error.code !== 'FST_ERR_BAD_URL') return error
  const [parent = '', itemId = '', ...rest] =
    (url ?? '').split('?', 1)[0]?.slice(`${basePath}/v1/`.length).split('/') ?? []
  const isKnown = rest.join('') === '' ? itemPaths.has(parent) : rest[0] === 'history' && historyPaths.has(parent)
  const isItem = url?.startsWith(`${basePath}/v1/`) && isKnown
  if (isItem && !percentDecode(itemId).isUnicode) return itemIdNotUnicode(itemId)
  return new Problem('not_found')
}
