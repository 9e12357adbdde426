/** Follows the links of figures and compares the totals of the lists that they open. */
import type { Figure } from './figures.ts'
import { demoDay, fetchWhenFree } from './muster.ts'

/** How many of the figures are linked and count records, and those of them whose list has another total. */
export const followCounts = async (
  figures: readonly Figure[],
  origin: string,
  today: string = demoDay,
): Promise<{ readonly count: number; readonly differences: readonly string[] }> => {
  const counts = countsOf(figures)
  const differences: string[] = []
  for (const { name, text, href } of counts) {
    const total = await totalOf(origin, href, today)
    if (total !== integerOf(text)) differences.push(`${name}: ${text} on the page, ${total} at ${href}`)
  }
  return { count: counts.length, differences }
}

/** Figures that add up a field of the linked records, such as places to fill, or that describe them. */
const sums = /places|filled|median|p90|wait_days|days_|rate|turnover|share/

const countsOf = (figures: readonly Figure[]): (Figure & { href: string })[] =>
  figures.flatMap((figure) =>
    figure.href === undefined || integerOf(figure.text) === undefined || sums.test(figure.name)
      ? []
      : [{ ...figure, href: figure.href }],
  )

const integerOf = (text: string): number | undefined => {
  const digits = text.replace(/^[+\u2212]/, '').replaceAll(',', '')
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

type Filters = Readonly<Record<string, string>>

/** The list in the API behind each work list, whose other parameters are filters of the API. */
const workLists: Readonly<Record<string, (today: string) => readonly [resource: string, filters: Filters]>> = {
  approvals: (today) => ['leave', { status: 'pending', from_date_to: today }],
  'leave-soon': (today) => [
    'leave',
    { status: 'pending', from_date_from: dayAfter(today, 1), from_date_to: dayAfter(today, 7) },
  ],
  waiting: (today) => ['applications', { status: 'active', stage_entered_on_to: dayAfter(today, -15) }],
  'past-target': (today) => ['jobs', { status: 'open', past_target: today }],
}

const dateFields: Filters = { joining: 'date_of_joining', leaving: 'termination_date', probation: 'probation_end' }

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The list in the API whose records a link of the explorer or to a work list opens. */
const listOf = (href: string, today: string): readonly [resource: string, filters: Filters] | undefined => {
  const { pathname, searchParams } = new URL(href)
  const { from, to, kind, ...own } = Object.fromEntries(
    [...searchParams].filter(([key]) => key !== 'as_of' && !key.startsWith('_')),
  )
  const [, place, name = ''] = /^\/console\/(data|today)\/([a-z-]+)$/.exec(pathname) ?? []
  if (place === 'data') return [name, own]
  const field = dateFields[kind ?? '']
  if (name === 'dates' && field !== undefined)
    return ['employees', { ...own, [`${field}_from`]: from ?? today, [`${field}_to`]: to ?? dayAfter(today, 30) }]
  const list = workLists[name]?.(today)
  return list && [list[0], { ...list[1], ...own }]
}

/** The number of records in the list that a link opens. */
const totalOf = async (origin: string, href: string, today: string): Promise<number | undefined> => {
  const list = listOf(href, today)
  if (list === undefined) return undefined
  const [resource, filters] = list
  const response = await fetchWhenFree(
    `${origin}/api/v1/${resource}?${new URLSearchParams({ ...filters, limit: '1' })}`,
    {
      headers: { prefer: 'handling=strict' },
    },
  )
  return ((await response.json()) as { meta?: { total: number } }).meta?.total
}
