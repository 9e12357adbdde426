/** Checks of URLs that come from records, before a page links to them. */

const maxLength = 2_048

/** The URL in its normal form; undefined if it is not an absolute URL with this protocol or has a user name. */
const parseUrl = (text: string | undefined, protocols: readonly string[]): URL | undefined => {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '' || trimmed.length > maxLength || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return protocols.includes(url.protocol) && url.username === '' && url.password === '' ? url : undefined
}

/** A link: `https:`, or `http:` for sites that have nothing else. Never `javascript:` or `data:`. */
export const webUrl = (text: string | undefined): string | undefined => parseUrl(text, ['https:', 'http:'])?.href

/** An image and its host, which the policy of the page then allows. The host needs no escaping there. */
export const imageUrl = (text: string | undefined): { readonly href: string; readonly origin: string } | undefined => {
  const url = parseUrl(text, ['https:'])
  return url !== undefined && /^https:\/\/[a-z\d.-]+(?::\d+)?$/.test(url.origin)
    ? { href: url.href, origin: url.origin }
    : undefined
}

/** Deliberately narrow: the address becomes part of a `mailto:` URL. */
export const emailAddress = (text: string | undefined): string | undefined =>
  /^[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text?.trim() ?? '') ? text?.trim() : undefined

/** A host name as browsers send it, in lower case; undefined if the text is something else. */
export const hostName = (text: string | undefined): string | undefined => {
  const host = text?.trim().toLowerCase() ?? ''
  return host.length <= 253 && /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(host) ? host : undefined
}
