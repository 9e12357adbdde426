/** Converts a value such as `work_from_home` to a label: `Work from home`. */
export const valueLabel = (value: string): string => {
  const words = value.replaceAll('_', ' ').trim()
  return words === '' ? value : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Statuses of employees have words that say what they mean on the day: somebody `pending` is joining. */
const employeeStatusLabels: Readonly<Record<string, string>> = { pending: 'Joining', terminated: 'Left' }
export const employeeStatusLabel = (status: string): string =>
  employeeStatusLabels[status.toLowerCase()] ?? valueLabel(status)

/** Groups of places and departments are in lower case: `hà nội` becomes `Hà Nội`. */
export const placeLabel = (place: string): string =>
  place.replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (letter) => letter.toLocaleUpperCase('en'))

export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)
