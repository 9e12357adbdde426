import { keepParameters } from '../../search-parameters.ts'

/**
 * `person`: the person to show, with everybody above. `open`: the open people from the top down, or `none`. `more`: the
 * people whose folded reports are shown, 0 for the top. `view=picture`: the whole company; `root`: the enlarged part of it.
 */
export const orgSearch = keepParameters('root', 'person', 'open', 'more', 'view')

export type OrgSearch = ReturnType<typeof orgSearch>

/** Reads a parameter that holds ids, separated by commas. Anything else is ignored. */
export const parseIds = (text: string | undefined): readonly number[] =>
  (text ?? '')
    .split(',')
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number)

export const parseId = (text: string | undefined): number | undefined => parseIds(text)[0]

/** The statuses of the people in the chart, as in the default of the report. */
export const chartStatuses: readonly string[] = ['active', 'on_leave', 'suspended']
