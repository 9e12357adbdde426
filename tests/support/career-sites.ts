/** Reads career sites as a visitor, a feed reader and a search engine do. */
import { sendRequest } from './http.ts'

export interface PostingPath {
  readonly site: string
  readonly locale: string
  readonly slug: string
}

/** Where a posting is shown: the status of its page, and the other places that name it. */
export interface Appearance {
  readonly page: number
  readonly places: readonly string[]
}

export const everyPlace = ['list', 'rss.xml', 'jobs.json', 'jobs.xml', 'sitemap.xml'] as const

/** Sends one request to each place. `base` is the URL that the paths of sites follow, such as `http://host/careers/`. */
export const appearanceOf = async (
  base: string,
  { site, locale, slug }: PostingPath,
  init: RequestInit = {},
): Promise<Appearance> => {
  const [, page] = await textAt(`${base}${site}/${locale}/${slug}`, init)
  const places: string[] = []
  for (const place of everyPlace) {
    const path = place === 'jobs.xml' || place === 'sitemap.xml' ? place : `${locale}/${place === 'list' ? '' : place}`
    const [text, status] = await textAt(`${base}${site}/${path}`, init)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    const isShown = place === 'list' ? text.includes(`<a href="${slug}"`) : text.includes(`/${locale}/${slug}`)
    if (isShown) places.push(place)
  }
  return { page, places }
}

const textAt = async (url: string, init: RequestInit): Promise<[string, number]> => {
  const { text, status } = await sendRequest(url, init)
  return [text, status]
}

/** Schedules a change some seconds ahead and reads before it. A slow machine gets more time. */
export const readBefore = async <T>(schedule: (at: number) => Promise<unknown>, read: () => Promise<T>): Promise<T> => {
  for (let seconds = 2; ; seconds *= 2) {
    const at = Date.now() + seconds * 1_000
    await schedule(at)
    const result = await read()
    if (Date.now() < at) return result
  }
}
