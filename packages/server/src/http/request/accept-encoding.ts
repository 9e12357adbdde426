/** The encoding that a client prefers, from its Accept-Encoding header. */
import { contentEncodings } from '@muster/model'

export type Compression = (typeof contentEncodings)[number]
export type Encoding = Compression | 'identity'

/** Cache of parsed Accept-Encoding headers: clients send few distinct ones. */
const encodingByHeader = new Map<string, Encoding>()
const maxCachedHeaders = 100
const maxCachedHeaderLength = 100

/** A client that accepts no available encoding gets the identity encoding, never 406. */
export const preferredEncoding = (accepted: string | string[] | undefined): Encoding => {
  if (accepted === undefined) return 'identity'
  const text = String(accepted)
  const best = encodingByHeader.get(text) ?? parsePreferred(text)
  if (encodingByHeader.size < maxCachedHeaders && text.length <= maxCachedHeaderLength) encodingByHeader.set(text, best)
  return best
}

/**
 * The compression with the greatest weight in Accept-Encoding, unless identity weighs more. A compression that is not
 * listed has the weight of `*`; identity counts only if it is listed.
 */
const parsePreferred = (accepted: string): Encoding => {
  const weights = new Map(accepted.split(',').map(readWeight))
  const weightOf = (encoding: Compression): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const preferredCompression = contentEncodings.reduce<Compression>(
    (best, other) => (weightOf(other) > weightOf(best) ? other : best),
    contentEncodings[0],
  )
  const weight = weightOf(preferredCompression)
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? preferredCompression : 'identity'
}

/** An invalid weight counts as 0. */
const readWeight = (part: string): [encoding: string, weight: number] => {
  const [encoding = '', ...parameters] = part
    .toLowerCase()
    .split(';')
    .map((piece) => piece.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [encoding, /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(quality) ? Number(quality) : 0]
}
