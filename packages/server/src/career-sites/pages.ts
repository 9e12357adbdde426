/** The list of postings, the page of one posting, and the error pages. */
import {
  contractName,
  formatDate,
  formatNumber,
  formatPay,
  formatPlural,
  formatText,
  payOf,
  workplaceName,
} from './formats.ts'
import type { Page, PageContext } from './frame.ts'
import { contentAttributes, contextOf, pathOf, renderPage } from './frame.ts'
import type { Html, HtmlValue } from './html.ts'
import { html } from './html.ts'
import type { Alternate, FilterChoices, ListFilters, Posting, PostingSummary, Site } from './posting.ts'
import { brandOf } from './posting.ts'
import { applyLink } from './settings.ts'
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

const listUrl = (filters: ListFilters, page: number): string => {
  const parameters = new URLSearchParams(
    filterNames.filter((name) => filters[name] !== '').map((name) => [filterParameters[name], filters[name]]),
  )
  if (page > 1) parameters.set('page', String(page))
  return parameters.size === 0 ? './' : `./?${parameters}`
}

export const renderList = (site: Site, locale: string, list: PostingList): Page => {
  const context = contextOf(site, locale)
  const { texts, frame } = context
  const { filters, page, total, postings } = list
  const pages = Math.max(Math.ceil(total / pageSize), 1)
  const content = contentAttributes(context)
  const isFiltered = hasFilters(filters)
  const emptyText = isFiltered ? texts.noneFound : texts.noneOpen
  const main = html`<h1${content}>${site.headline ?? site.name}</h1>
${site.introduction === undefined ? undefined : html`<div class="lead"${content}>${formatText(site.introduction)}</div>`}
${total === 0 && !isFiltered ? undefined : filterForm(context, list)}
<h2>${total === 0 ? texts.jobs : formatPlural(texts.jobCount, total, frame)}</h2>
${postings.length === 0 ? html`<p>${emptyText}</p>` : postingList(context, postings, 'h3')}
${pages === 1 ? undefined : pageLinks(context, list, pages)}`
  const canonical = isFiltered || page === 1 ? '' : `?page=${page}`
  return renderPage(context, {
    title: `${texts.jobs} · ${site.name}`,
    description: excerpt(site.introduction ?? site.headline ?? texts.jobs),
    path: pathOf(locale) + canonical,
    alternates: site.locales.map((other) => ({ locale: other, slug: '' })),
    main,
  })
}

const filterForm = (context: PageContext, { filters, choices }: PostingList): Html => {
  const { texts } = context
  const choice = (name: Exclude<keyof ListFilters, 'words'>, nameOf: (value: string) => string = (value) => value) => {
    const selected = filters[name]
    const known = choices[name]
    const values = selected === '' || known.includes(selected) ? known : [selected, ...known]
    if (values.length === 0) return undefined
    return html`<label>${texts[name]}<select name="${filterParameters[name]}"><option value="">${texts.any}</option>${values.map(
      (value) =>
        html`<option value="${value}"${value === selected ? html` selected` : undefined}>${nameOf(value)}</option>`,
    )}</select></label>`
  }
  const isOpen = hasFilters({ ...filters, words: '' })
  const clear = hasFilters(filters) ? html`<a href="./">${texts.clearFilters}</a>` : undefined
  return html`<form method="get" action="./" role="search">
<label>${texts.words}<input type="search" name="${filterParameters.words}" value="${filters.words}" dir="auto" autocomplete="off"></label>
<details${isOpen ? html` open` : undefined}><summary>${texts.filters}</summary><div class="fields">${choice('department')}${choice(
    'contract',
    (value) => contractName(texts, value),
  )}${choice('workplace', (value) => workplaceName(texts, value))}${choice('place')}</div></details>
<div class="actions"><button>${texts.showJobs}</button>${clear}</div>
</form>`
}

const pageLinks = ({ texts, frame }: PageContext, { filters, page }: PostingList, pages: number): Html => {
  const position = texts.pageOf
    .replace('{pages}', formatNumber(pages, frame.formats))
    .replace('{page}', formatNumber(page, frame.formats))
  const previous =
    page === 1
      ? undefined
      : html`<a rel="prev" href="${listUrl(filters, Math.min(page - 1, pages))}">${texts.previous}</a>`
  const next = page >= pages ? undefined : html`<a rel="next" href="${listUrl(filters, page + 1)}">${texts.next}</a>`
  return html`<nav class="pages" aria-label="${texts.pages}">${previous}<span>${position}</span>${next}</nav>`
}

const postingList = (context: PageContext, postings: readonly PostingSummary[], heading: 'h2' | 'h3'): Html => {
  const content = contentAttributes(context)
  const items = postings.map((posting) => {
    const link = html`<a href="${encodeURIComponent(posting.slug.toWellFormed())}"${content}>${posting.title}</a>`
    return html`<li>${heading === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}<ul class="facts">${summaryFacts(context, posting)}</ul></li>\n`
  })
  return html`<ul class="list">${items}</ul>`
}

const summaryFacts = (context: PageContext, posting: PostingSummary): HtmlValue => {
  const { site, frame, texts } = context
  const content = contentAttributes(context)
  const { location, remotePolicy, employmentType, department } = posting
  const pay = payOf(posting, brandOf(site, posting))
  return [
    pay === undefined ? undefined : html`<li class="pay">${formatPay(pay, frame)}</li>`,
    location === undefined ? undefined : html`<li${content}>${location}</li>`,
    remotePolicy === undefined ? undefined : html`<li>${workplaceName(texts, remotePolicy)}</li>`,
    employmentType === undefined ? undefined : html`<li>${contractName(texts, employmentType)}</li>`,
    department === undefined ? undefined : html`<li${content}>${department}</li>`,
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
  const content = contentAttributes(context)
  const brand = brandOf(site, posting)
  const organization = brand?.name ?? site.name
  const part = (heading: string, text: string | undefined): HtmlValue =>
    text === undefined || text.trim() === ''
      ? undefined
      : html`<h2>${heading}</h2>\n<div${content}>${formatText(text)}</div>\n`
  const apply = applyPart(context, posting)
  const main = html`<article class="text">
<h1${content}>${posting.title}</h1>
<p class="lead"${content}>${organization}</p>
${facts(context, posting)}
${apply.button}${part(texts.description, posting.description)}${part(texts.requirements, posting.requirements)}${part(
  texts.about.replace('{brand}', () => organization),
  brand?.settings.about,
)}<h2>${texts.howToApply}</h2>
${apply.section}
</article>
${others.length === 0 ? undefined : html`<section class="others"><h2>${texts.otherJobs}</h2>${postingList(context, others, 'h3')}</section>`}
<p class="others"><a href="./">${texts.allJobs}</a></p>`
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
  const content = contentAttributes(context)
  const pay = payOf(posting, brandOf(site, posting))
  const fact = (name: string, value: string | undefined, attributes?: Html): HtmlValue =>
    value === undefined || value === '' ? undefined : html`<dt>${name}</dt><dd${attributes}>${value}</dd>\n`
  const date = (moment: string | undefined): string | undefined =>
    moment === undefined ? undefined : formatDate(moment, frame.formats)
  const { remotePolicy, employmentType } = posting
  return html`<dl>
${[
  fact(texts.place, posting.location, content),
  fact(texts.workplace, remotePolicy === undefined ? undefined : workplaceName(texts, remotePolicy)),
  fact(texts.contract, employmentType === undefined ? undefined : contractName(texts, employmentType)),
  fact(texts.pay, pay === undefined ? undefined : formatPay(pay, frame)),
  fact(texts.department, posting.department, content),
  fact(texts.posted, date(posting.postedAt)),
  fact(texts.applyUntil, date(posting.endsAt)),
  fact(texts.reference, posting.code, html` dir="auto"`),
]}</dl>`
}

/** How to apply: the button below the facts, and the section at the end. */
const applyPart = (context: PageContext, posting: Posting): { button: HtmlValue; section: HtmlValue } => {
  const { site, locale, frame, texts } = context
  const settings = brandOf(site, posting)?.settings
  const { code, jobId: id } = posting
  const link = settings?.applyUrl === undefined ? undefined : applyLink(settings.applyUrl, { code, id, locale })
  const email = settings?.applyEmail
  const days = settings?.replyWithinDays
  const reply =
    days === undefined ? undefined : html`<p class="muted">${formatPlural(texts.replyWithin, days, frame)}</p>`
  if (link !== undefined) {
    const button = html`<div class="apply"><a class="button" href="${link}">${texts.apply}</a>${reply}</div>\n`
    return { button, section: html`<div class="apply"><a class="button" href="${link}">${texts.apply}</a></div>` }
  }
  if (email === undefined) return { button: undefined, section: html`<p>${texts.noApplications}</p>` }
  const subject = encodeURIComponent(
    [posting.title, code]
      .filter((part) => part !== undefined)
      .join(', ')
      .toWellFormed(),
  )
  const mailto = `mailto:${email}?subject=${subject}`
  const [before = '', after = ''] = texts.emailHint.split('{email}')
  return {
    button: html`<div class="apply"><a class="button" href="${mailto}">${texts.applyByEmail}</a>${reply}</div>\n`,
    section: html`<p>${before}<a href="${mailto}">${email}</a>${after}</p>`,
  }
}

export interface ErrorPage {
  readonly status: 404 | 410
  readonly others: readonly PostingSummary[]
}

export const renderError = (site: Site, locale: string, { status, others }: ErrorPage): Page => {
  const context = contextOf(site, locale)
  const { texts } = context
  const isGone = status === 410
  const title = isGone ? texts.goneTitle : texts.notFoundTitle
  const home = site.locales.includes(locale) ? './' : '../'
  const main = html`<h1>${title}</h1>
<p>${isGone && others.length > 0 ? texts.goneText : isGone ? undefined : texts.notFoundText}</p>
${others.length === 0 ? undefined : postingList(context, others, 'h2')}
<p><a href="${home}">${texts.allJobs}</a></p>`
  const page = renderPage(context, { title: `${title} · ${site.name}`, main })
  return { ...page, headers: { ...page.headers, 'x-robots-tag': 'noindex' } }
}

const excerptLength = 160

/** The beginning of a text in one line, for search engines and link previews. */
const excerpt = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim().toWellFormed()
  if (line.length <= excerptLength) return line
  const cut = line.slice(0, excerptLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), excerptLength / 2)).toWellFormed()} …`
}
