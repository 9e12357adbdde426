/** In charge of addresses whose escapes cannot be decoded, which the router hands back before any route is chosen. */
import { basePath, resources } from '@muster/model'
import { Problem } from '../errors.ts'
import { itemIdNotUnicode } from './parameters.ts'
import { decode } from './query-string.ts'

const paths = new Set(resources.map(({ path }) => path))

/** An item_id that is no UTF-8 is refused as a parameter; any other such address holds nothing. */
export const undecodableAddress = (url: string | undefined, error: Error & { code?: string }): Error => {
  if (error.code !== 'FST_ERR_BAD_URL') return error
  const [resource = '', itemId = '', ...rest] =
    (url ?? '').split('?', 1)[0]?.slice(`${basePath}/v1/`.length).split('/') ?? []
  const isItem = url?.startsWith(`${basePath}/v1/`) && paths.has(resource) && rest.join('') === ''
  if (isItem && !decode(itemId).isUnicode) return itemIdNotUnicode(itemId)
  return new Problem('not_found')
}
