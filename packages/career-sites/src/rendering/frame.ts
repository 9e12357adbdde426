/** The frame of every page of a career site: head, header, footer and the headers of the response. */
import { themeOf } from '../colors.ts'
import type { FrameLocale } from '../locales/locales.ts'
import { frameLocaleOf, languageName, languageTag } from '../locales/locales.ts'
import { textsIn } from '../locales/texts/texts.ts'
import type { Texts } from '../locales/texts/types.ts'
import type { Alternate, Site } from '../postings/posting.ts'
import { imageUrl, webUrl } from '../urls.ts'
import type { Html, HtmlValue } from './html.ts'
import { html } from './html.ts'
import { styleOf } from './style.ts'

/** A page or feed as it is sent. */
export interface Page {
  readonly text: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the parts of a page need to know about where they are. */
export interface PageContext {
  readonly site: Site
  readonly locale: string
  readonly frame: FrameLocale
  readonly texts: Texts
  /** Attributes of an element with text of the records, in their language and in the direction of the text. */
  readonly contentAttributes: Html
}

export const contextOf = (site: Site, locale: string): PageContext => {
  const frame = frameLocaleOf(locale)
  const { language, contentLanguage } = frame
  const contentAttributes =
    contentLanguage === undefined ? html` dir="auto"` : html` lang="${contentLanguage}" dir="auto"`
  return { site, locale, frame, texts: textsIn(language), contentAttributes }
}

export interface FrameOptions {
  readonly title: string
  readonly description?: string
  /** The URL of this page relative to the root of the site; undefined for an error page, which is not indexed. */
  readonly path?: string
  /** The same page in other locales, this one included. */
  readonly alternates?: readonly Alternate[]
  /** JSON-LD. */
  readonly structuredData?: Html | undefined
  readonly isArticle?: boolean
  readonly main: Html
}

/** Pages are two levels below the root of their site. */
const rootPath = '../'

/** The band in the colour of the brand, with the heading of the page. */
export const band = (content: Html): Html => html`<div class="band"><div class="wrap">${content}</div></div>`

/** The absolute URL on the site's own domain, or a relative one: the Host of a request must not enter a cached page. */
export const urlIn = ({ customDomain }: Site, path: string): string =>
  customDomain === undefined ? rootPath + path : `https://${customDomain}/${path}`

export const pathOf = (locale: string, slug = ''): string => `${segmentOf(locale)}/${segmentOf(slug)}`

const segmentOf = (text: string): string => encodeURIComponent(text.toWellFormed())

export const renderPage = (context: PageContext, options: FrameOptions): Page => {
  const { site, frame } = context
  const style = styleOf(themeOf(site.brandColor, site.accentColor))
  const logo = imageUrl(site.logoUrl)
  const page = html`<!doctype html>
<html lang="${frame.language}"${frame.direction === 'rtl' ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title}</title>
${headLinks(context, options, logo?.href)}<style>`.text
  const text = `${page}${style.css}</style>\n${
    html`${options.structuredData}</head>
<body>
<a class="skip" href="#content">${context.texts.skipToContent}</a>
${header(context, options, logo?.href)}
<main id="content">
${options.main}
</main>
${footer(context)}
</body>
</html>
`.text
  }`
  const headers = { ...pageHeaders, 'content-security-policy': policyOf(style.source, logo?.origin) }
  return { text, headers: options.path === undefined ? { ...headers, 'x-robots-tag': 'noindex' } : headers }
}

/** Caches in front of the service show a page for a second, and for ten more while they ask for the new one. */
const cacheControl = 'public, max-age=0, s-maxage=1, stale-while-revalidate=10'

export const publicHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-robots-tag': 'all',
  'cache-control': cacheControl,
  vary: 'accept-encoding',
} as const

export const pageHeaders = { ...publicHeaders, 'content-type': 'text/html; charset=utf-8' } as const

/** The browser runs nothing, loads one image from one host, and sends the form to this site only. */
export const policyOf = (styleSource: string, imageOrigin: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(imageOrigin === undefined ? [] : [`img-src ${imageOrigin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const headLinks = (context: PageContext, options: FrameOptions, image: string | undefined): HtmlValue => {
  const { title, description, path, alternates = [], isArticle = false } = options
  const { site, locale, texts } = context
  if (path === undefined) return html`<meta name="robots" content="noindex">\n`
  const url = urlIn(site, path)
  const property = (name: string, content: string | undefined): HtmlValue =>
    content === undefined ? undefined : html`<meta property="og:${name}" content="${content}">\n`
  // Google requires absolute URLs for other languages, but accepts a relative canonical URL.
  const languages = alternates.length < 2 || site.customDomain === undefined ? [] : alternates
  return [
    description === undefined ? undefined : html`<meta name="description" content="${description}">\n`,
    html`<link rel="canonical" href="${url}">\n`,
    languages.flatMap(({ locale: other, slug }) => {
      const tag = languageTag(other)
      if (tag === undefined) return []
      return html`<link rel="alternate" hreflang="${tag}" href="${urlIn(site, pathOf(other, slug))}">\n`
    }),
    html`<link rel="alternate" type="application/rss+xml" title="${texts.feed}" href="rss.xml">\n`,
    html`<link rel="alternate" type="application/feed+json" title="${texts.jobs}" href="jobs.json">\n`,
    property('title', title),
    property('description', description),
    property('type', isArticle ? 'article' : 'website'),
    property('site_name', site.name),
    property('locale', languageTag(locale)?.replaceAll('-', '_')),
    site.customDomain === undefined ? undefined : property('url', url),
    property('image', image),
  ]
}

/** The name stands beside the logo, so the logo needs no text of its own. */
const header = (context: PageContext, { alternates }: FrameOptions, logo: string | undefined): Html => {
  const { site, locale } = context
  const image = logo === undefined ? undefined : html`<img src="${logo}" alt="" referrerpolicy="no-referrer">`
  const home = isKnown(site, locale) ? './' : rootPath
  const languages = alternates ?? site.locales.map((other) => ({ locale: other, slug: '' }))
  return html`<header>
<a class="brand" href="${home}">${image}<span${context.contentAttributes}>${site.name}</span></a>
${languageLinks(context, languages)}</header>`
}

const isKnown = ({ locales }: Site, locale: string): boolean => locales.includes(locale)

/** One other language is a link, more are a menu: on a phone their names would fill the screen. */
const languageLinks = (context: PageContext, alternates: readonly Alternate[]): HtmlValue => {
  const { site, texts, locale: current } = context
  const named = alternates.map((alternate) => ({ ...alternate, name: languageName(alternate.locale) }))
  const links = named
    .filter(({ locale }) => locale !== current)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ locale, slug, name }) => {
      const tag = languageTag(locale)
      const attributes = tag === undefined ? undefined : html` lang="${tag}" hreflang="${tag}"`
      return html`<li><a${attributes} href="${rootPath}${pathOf(locale, slug)}">${name}</a></li>`
    })
  if (links.length === 0) return undefined
  if (links.length === 1) return html`<nav class="langs" aria-label="${texts.languages}"><ul>${links}</ul></nav>\n`
  // A locale that the site does not have is any text that someone put into a link to this page.
  const summary = isKnown(site, current)
    ? html`<summary aria-label="${texts.languages}: ${languageName(current)}">${languageName(current)}</summary>`
    : html`<summary>${texts.languages}</summary>`
  return html`<details class="langs">${summary}<nav aria-label="${texts.languages}"><ul>${links}</ul></nav></details>\n`
}

const footer = ({ site, locale, texts }: PageContext): Html => {
  const privacy = webUrl(site.privacyUrl)
  return html`<footer>
${privacy === undefined ? undefined : html`<a href="${privacy}">${texts.privacy}</a>\n`}${
  isKnown(site, locale) ? html`<a href="rss.xml">${texts.feed}</a>\n` : undefined
}</footer>`
}
