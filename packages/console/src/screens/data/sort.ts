import type { SortOrder } from '../../kit/GridTable.tsx'

/** The field by which the list is sorted first. Lists without `sort` are in the order of ids. */
export const firstSort = (sort: string | undefined): SortOrder => {
  const [first = 'id'] = (sort ?? 'id').split(',')
  return { field: first.replace(/^-/, ''), isDescending: first.startsWith('-') }
}

export const sortedFields = (sort: string | undefined): readonly string[] =>
  sort === undefined ? [] : sort.split(',').map((part) => part.replace(/^-/, ''))

/** `date_of_joining descending, then last_name` */
export const sortText = (sort: string | undefined): string =>
  (sort ?? 'id')
    .split(',')
    .map((part) => (part.startsWith('-') ? `${part.slice(1)} descending` : part))
    .join(', then ')
