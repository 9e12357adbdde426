/** The list of postings, the page of one posting, and the error pages. */

import type { Texts } from '../locales/texts/types.ts'
import type { Alternate, FilterChoices, ListFilters, Posting, PostingSummary, Site } from '../postings/posting.ts'
import { brandOf } from '../postings/posting.ts'
import { applyLink } from '../postings/settings.ts'
import { isDate } from '../postings/site-postings.ts'
import {
  contractName,
  formatDay,
  formatNumber,
  formatPay,
  formatPlural,
  formatText,
  payOf,
  workplaceName,
} from './formats.ts'
import type { Page, PageContext } from './frame.ts'
import { band, contextOf, pathOf, renderPage } from './frame.ts'
import type { Html, HtmlValue } from './html.ts'
import { html } from './html.ts'
import { structuredDataOf } from './structured-data.ts'

export const pageSize = 50

export interface PostingList {
  readonly filters: ListFilters
  readonly choices: FilterChoices
  /** From 1. */
  readonly page: number
  readonly total: number
  readonly postings: readonly PostingSummary[]
}

/** The names of the filters in the URL of a list. */
export const filterParameters: Readonly<Record<keyof ListFilters, string>> = {
  words: 'q',
  department: 'department',
  contract: 'contract',
  workplace: 'remote',
  place: 'place',
}

const filterNames = Object.keys(filterParameters) as readonly (keyof ListFilters)[]

export const hasFilters = (filters: ListFilters): boolean => filterNames.some((name) => filters[name] !== '')

/** The URL of a list, relative to the list without filters. */
export const listUrl = (filters: ListFilters, page: number): string => {
  const parameters = new URLSearchParams(
    filterNames.filter((name) => filters[name] !== '').map((name) => [filterParameters[name], filters[name]]),
  )
  if (page > 1) parameters.set('page', String(page))
  return parameters.size === 0 ? './' : `./?${parameters}`
}

/** A page after the last one is an error page. */
export const renderList = (site: Site, locale: string, list: PostingList): Page => {
  const context = contextOf(site, locale)
  const { texts, frame } = context
  const { filters, page, total, postings } = list
  const pages = Math.max(Math.ceil(total / pageSize), 1)
  const content = context.contentAttributes
  const isFiltered = hasFilters(filters)
  const { headline, introduction } = site
  // A visitor who searches or turns the page has seen the introduction.
  const isStart = !isFiltered && page === 1
  const isEmpty = !isFiltered && total === 0
  const heading = headline === undefined ? html`<h1>${texts.jobs}</h1>` : html`<h1${content}>${headline}</h1>`
  const lead =
    introduction === undefined || !isStart
      ? undefined
      : html`<div class="lead"${content}>${formatText(introduction)}</div>`
  const main = html`${band(html`${heading}${lead}`)}
<div class="wrap">
${isEmpty ? undefined : html`${filterForm(context, list)}\n<h2>${formatPlural(texts.jobCount, total, frame)}</h2>\n`}${isFiltered ? filterChips(context, filters) : undefined}${postings.length === 0 ? noPostings(context, list) : postingList(context, postings)}
${pages === 1 ? undefined : pageLinks(context, list, pages)}</div>`
  const canonical = isFiltered || page === 1 ? '' : `?page=${page}`
  return renderPage(context, {
    title: `${texts.jobs} · ${site.name}`,
    description: excerpt(introduction ?? headline ?? texts.jobs),
    ...(page > pages ? {} : { path: pathOf(locale) + canonical }),
    alternates: site.locales.map((other) => ({ locale: other, slug: '' })),
    main,
  })
}

const noPostings = ({ texts }: PageContext, { filters, total }: PostingList): Html => {
  const all = html`<p><a class="button" href="./">${texts.allJobs}</a></p>`
  if (total > 0) return html`<p>${texts.notFoundText}</p>${all}`
  return hasFilters(filters) ? html`<p>${texts.noneFound}</p>${all}` : html`<p>${texts.noneOpen}</p>`
}

/** The text of a filter's value. */
const filterText = (texts: Texts, name: keyof ListFilters, value: string): string => {
  if (name === 'contract') return contractName(texts, value)
  return name === 'workplace' ? workplaceName(texts, value) : value
}

const filterForm = ({ texts, frame }: PageContext, { filters, choices }: PostingList): Html => {
  const choice = (name: Exclude<keyof ListFilters, 'words'>) => {
    const selected = filters[name]
    const known = choices[name]
    const values = selected === '' || known.includes(selected) ? known : [selected, ...known]
    if (values.length === 0) return undefined
    return html`<label>${texts[name]}<select name="${filterParameters[name]}"><option value="">${texts.any}</option>${values.map(
      (value) =>
        html`<option value="${value}"${value === selected ? html` selected` : undefined}>${filterText(texts, name, value)}</option>`,
    )}</select></label>`
  }
  const fields = [choice('department'), choice('contract'), choice('workplace'), choice('place')]
  const count = filterNames.filter((name) => name !== 'words' && filters[name] !== '').length
  const details = html`<details><summary>${texts.filters}${count === 0 ? undefined : ` (${formatNumber(count, frame.formats)})`}</summary><div class="fields">${fields}</div></details>\n`
  return html`<form method="get" action="./" role="search">
<label>${texts.words}<input type="search" name="${filterParameters.words}" value="${filters.words}" dir="auto" autocomplete="off" enterkeyhint="search"></label>
${fields.every((field) => field === undefined) ? undefined : details}<button>${texts.search}</button>
</form>`
}

/** What the list is filtered by; each is a link that removes it. */
const filterChips = (context: PageContext, filters: ListFilters): Html => {
  const { texts } = context
  const chips = filterNames
    .filter((name) => filters[name] !== '')
    .map((name) => {
      const text = filterText(texts, name, filters[name])
      const label = texts.removeFilter.replace('{filter}', () => text)
      return html`<li><a class="chip" dir="auto" href="${listUrl({ ...filters, [name]: '' }, 1)}" aria-label="${label}">${text}</a></li>`
    })
  const clear = chips.length < 2 ? undefined : html`<li><a href="./">${texts.clearFilters}</a></li>`
  return html`<ul class="chips">${chips}${clear}</ul>\n`
}

const pageLinks = ({ texts, frame }: PageContext, { filters, page }: PostingList, pages: number): Html => {
  const position = texts.pageOf
    .replace('{pages}', formatNumber(pages, frame.formats))
    .replace('{page}', formatNumber(page, frame.formats))
  const link = (relation: 'prev' | 'next', other: number, text: string) =>
    html`<a class="button plain" rel="${relation}" href="${listUrl(filters, other)}">${text}</a>`
  const previous = page === 1 ? undefined : link('prev', Math.min(page - 1, pages), texts.previous)
  const next = page >= pages ? undefined : link('next', page + 1, texts.next)
  return html`<nav class="pages" aria-label="${texts.pages}">${previous}${page > pages ? undefined : html`<span>${position}</span>`}${next}</nav>`
}

const postingList = (context: PageContext, postings: readonly PostingSummary[]): Html => {
  const { site, frame } = context
  const content = context.contentAttributes
  const items = postings.map((posting) => {
    const pay = payOf(posting, brandOf(site, posting))
    return html`<li><h3><a href="${encodeURIComponent(posting.slug.toWellFormed())}"${content}>${posting.title}</a></h3>${
      pay === undefined ? undefined : html`<p class="pay">${formatPay(pay, frame)}</p>`
    }<ul class="facts">${summaryFacts(context, posting)}</ul></li>\n`
  })
  return html`<ul class="list">${items}</ul>`
}

const summaryFacts = (context: PageContext, posting: PostingSummary): HtmlValue => {
  const { frame, texts } = context
  const content = context.contentAttributes
  const { location, remotePolicy, employmentType, department, postedMs } = posting
  return [
    location === undefined ? undefined : html`<li><span${content}>${location}</span></li>`,
    remotePolicy === undefined ? undefined : html`<li>${workplaceName(texts, remotePolicy)}</li>`,
    employmentType === undefined ? undefined : html`<li>${contractName(texts, employmentType)}</li>`,
    department === undefined ? undefined : html`<li><span${content}>${department}</span></li>`,
    isDate(postedMs) ? html`<li>${texts.posted} ${formatDay(postedMs, frame.formats, 'medium')}</li>` : undefined,
  ]
}

export interface JobPage {
  readonly posting: Posting
  /** The same job in other locales of the site, this one included. */
  readonly alternates: readonly Alternate[]
  readonly others: readonly PostingSummary[]
}

export const renderJob = (site: Site, locale: string, { posting, alternates, others }: JobPage): Page => {
  const context = contextOf(site, locale)
  const { texts } = context
  const content = context.contentAttributes
  const brand = brandOf(site, posting)
  const organization = brand?.name ?? site.name
  const part = (heading: string, text: string | undefined): HtmlValue =>
    text === undefined || text.trim() === ''
      ? undefined
      : html`<h2>${heading}</h2>\n<div${content}>${formatText(text)}</div>\n`
  const apply = applyPart(context, posting)
  const main = html`<article>
${band(html`<h1${content}>${posting.title}</h1><p class="lead"${content}>${organization}</p>`)}
<div class="wrap job">
${facts(context, posting)}
<div class="text">
${part(texts.description, posting.description)}${part(texts.requirements, posting.requirements)}${part(
  texts.about.replace('{brand}', () => organization),
  brand?.settings.about,
)}<h2>${texts.howToApply}</h2>
<p class="how">${apply.hint}</p>
</div>
${apply.button}</div>
</article>
<section class="wrap others">${others.length === 0 ? undefined : html`<h2>${texts.otherJobs}</h2>${postingList(context, others)}`}
<p><a class="button plain" href="./">${texts.allJobs}</a></p></section>`
  return renderPage(context, {
    title: `${posting.title} · ${organization}`,
    description: excerpt([posting.location, posting.description].filter((text) => text !== undefined).join(' – ')),
    path: pathOf(locale, posting.slug),
    alternates,
    structuredData: structuredDataOf(site, posting),
    isArticle: true,
    main,
  })
}

const facts = (context: PageContext, posting: Posting): Html => {
  const { site, frame, texts } = context
  const content = context.contentAttributes
  const pay = payOf(posting, brandOf(site, posting))
  const fact = (name: string, value: HtmlValue, attributes?: Html): HtmlValue =>
    value === undefined || value === '' ? undefined : html`<dt>${name}</dt><dd${attributes}>${value}</dd>\n`
  const date = (moment: string | undefined): HtmlValue =>
    moment === undefined
      ? undefined
      : html`<time datetime="${moment}">${formatDay(Date.parse(moment), frame.formats, 'long')}</time>`
  const { remotePolicy, employmentType } = posting
  return html`<dl>
${[
  fact(texts.pay, pay === undefined ? undefined : formatPay(pay, frame)),
  fact(texts.place, posting.location, content),
  fact(texts.workplace, remotePolicy === undefined ? undefined : workplaceName(texts, remotePolicy)),
  fact(texts.contract, employmentType === undefined ? undefined : contractName(texts, employmentType)),
  fact(texts.department, posting.department, content),
  fact(texts.posted, date(posting.postedAt)),
  fact(texts.applyUntil, date(posting.endsAt)),
  fact(texts.reference, posting.code, html` dir="auto"`),
]}</dl>`
}

/** How to apply: a sentence at the end of the text, and the button that stays on the screen while the text is read. */
const applyPart = (context: PageContext, posting: Posting): { hint: HtmlValue; button: HtmlValue } => {
  const { site, locale, frame, texts } = context
  const settings = brandOf(site, posting)?.settings
  const { code, jobId: id } = posting
  const link = settings?.applyUrl === undefined ? undefined : applyLink(settings.applyUrl, { code, id, locale })
  const email = settings?.applyEmail
  const days = settings?.replyWithinDays
  const reply = days === undefined ? undefined : html`<p>${formatPlural(texts.replyWithin, days, frame)}</p>`
  const parts = (href: string, label: string, hint: string, linkText: string) => {
    const [before = '', after = ''] = hint.split(/\{\w+\}/)
    return {
      hint: html`${before}<a href="${href}">${linkText}</a>${after}`,
      button: html`<div class="apply"><a class="button" href="${href}">${label}</a>${reply}</div>\n`,
    }
  }
  if (link !== undefined) return parts(link, texts.apply, texts.urlHint, new URL(link).host)
  if (email === undefined) return { hint: texts.noApplications, button: undefined }
  const subject = encodeURIComponent(
    [posting.title, code]
      .filter((part) => part !== undefined)
      .join(', ')
      .toWellFormed(),
  )
  return parts(`mailto:${email}?subject=${subject}`, texts.applyByEmail, texts.emailHint, email)
}

const allJobsLink = ({ site, locale, texts }: PageContext): Html =>
  html`<p><a class="button" href="${site.locales.includes(locale) ? './' : '../'}">${texts.allJobs}</a></p>`

export const renderNotFound = (site: Site, locale: string): Page => {
  const context = contextOf(site, locale)
  const { texts } = context
  const main = html`${band(html`<h1>${texts.notFoundTitle}</h1><p class="lead">${texts.notFoundText}</p>`)}
<div class="wrap">
${allJobsLink(context)}</div>`
  return renderPage(context, { title: `${texts.notFoundTitle} · ${site.name}`, main })
}

export interface GonePage {
  /** The title of the job. */
  readonly title: string
  readonly others: readonly PostingSummary[]
}

export const renderGone = (site: Site, locale: string, { title, others }: GonePage): Page => {
  const context = contextOf(site, locale)
  const { texts } = context
  const main = html`${band(html`<h1${context.contentAttributes}>${title}</h1><p class="lead">${texts.goneTitle}</p>`)}
<div class="wrap"><p>${texts.goneText}</p>
${others.length === 0 ? undefined : html`<h2>${texts.otherJobs}</h2>\n${postingList(context, others)}`}
${allJobsLink(context)}</div>`
  return renderPage(context, { title: `${title} · ${texts.goneTitle} · ${site.name}`, main })
}

const excerptLength = 160

/** The beginning of a text in one line, for search engines and link previews. */
const excerpt = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim().toWellFormed()
  if (line.length <= excerptLength) return line
  const cut = line.slice(0, excerptLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), excerptLength / 2)).toWellFormed()} …`
}
