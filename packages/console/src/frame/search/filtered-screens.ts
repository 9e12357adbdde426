import { addMonths, monthOf } from '@muster/model'
import { lastTwelveMonths, monthChoices, writePeriod } from '../../format/periods.ts'
import { stringifySearch } from '../../search-parameters.ts'
import type { ScreenPath, SearchOf } from '../screens.ts'
import { screenAt } from '../screens.ts'
import type { Destination } from './destinations.ts'
import { containsAll, isMatching, searchTerms } from './matching-text.ts'

const mostResults = 5

interface Choice {
  /** Undefined if only the department is chosen. */
  readonly label?: string
  readonly search: Readonly<Record<string, string | undefined>>
}

/** The screens that can show one department, with the other filters that can be named with it. */
const choicesByScreen = (asOf: string, deptId: string): Readonly<Partial<Record<ScreenPath, readonly Choice[]>>> => {
  const standard = lastTwelveMonths(asOf)
  const cohorts = monthChoices(asOf).map(({ label, ...period }): Choice => {
    const { from, to } = writePeriod(period, standard)
    const search: SearchOf<'/hiring/funnel'> = { 'job.dept_id': deptId, applied_from: from, applied_to: to }
    return { label, search }
  })
  const ofDepartment = { search: { dept_id: deptId } }
  const month = (label: string, offset: number): Choice => ({
    label,
    search: { dept_id: deptId, month: addMonths(monthOf(asOf), offset) },
  })
  return {
    '/people': [ofDepartment],
    '/leave': [month('This month', 0), month('Next month', 1)],
    '/hiring': [ofDepartment],
    '/hiring/funnel': cohorts,
    '/hiring/sources': cohorts,
  }
}

/** Whether the text may name a screen and a filter of it, so that the departments are needed. */
export const mayNameFilter = (text: string): boolean => {
  const terms = searchTerms(text)
  const labels = Object.keys(choicesByScreen('2000-01-01', '')).map((path) => screenAt(path)?.label ?? '')
  return terms.length > 1 && labels.some((label) => isMatching(label, terms))
}

/**
 * The screens with a department and a period that contain all words of a text, as in `sources sales last quarter`. Of periods
 * with the same days, the first counts.
 */
export const findFilteredScreens = (
  text: string,
  departments: ReadonlyMap<string, string>,
  asOf: string,
): readonly Destination[] => {
  const terms = searchTerms(text)
  if (!mayNameFilter(text)) return []
  return [...departments]
    .flatMap(([id, name]) =>
      Object.entries(choicesByScreen(asOf, id)).flatMap(([path, choices]) =>
        choices.map(({ label, search }) => ({
          path: `${path}${stringifySearch(search)}`,
          label: [`${screenAt(path)?.label}: ${name}`, label].filter(Boolean).join(', '),
          remark: 'Filtered',
        })),
      ),
    )
    .filter(({ label }) => containsAll(label, terms))
    .filter(({ path }, index, found) => found.findIndex((other) => other.path === path) === index)
    .slice(0, mostResults)
}
