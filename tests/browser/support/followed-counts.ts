/** Follows the links of figures and compares the totals of the lists that they open. */
import type { Figure } from './figures.ts'
import { fetchWhenFree } from './muster.ts'

/** How many of the figures are linked and count records, and those of them whose list has another total. */
export const followCounts = async (
  figures: readonly Figure[],
  origin: string,
): Promise<{ readonly count: number; readonly differences: readonly string[] }> => {
  const counts = countsOf(figures)
  const differences: string[] = []
  for (const { name, text, href } of counts) {
    const total = await totalOf(origin, href)
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

/** The number of records in the list that a link of the explorer opens. */
const totalOf = async (origin: string, href: string): Promise<number | undefined> => {
  const { pathname, searchParams } = new URL(href)
  const resource = /^\/console\/data\/([a-z-]+)$/.exec(pathname)?.[1]
  if (resource === undefined) return undefined
  const parameters = new URLSearchParams([...searchParams].filter(([key]) => key !== 'as_of' && !key.startsWith('_')))
  parameters.set('limit', '1')
  const response = await fetchWhenFree(`${origin}/api/v1/${resource}?${parameters}`, {
    headers: { prefer: 'handling=strict' },
  })
  return ((await response.json()) as { meta?: { total: number } }).meta?.total
}
