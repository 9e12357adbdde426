/** Reads a parameter that holds ids, separated by commas. Anything else is ignored. */
export const parseIds = (text: string | undefined): readonly number[] =>
  (text ?? '')
    .split(',')
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number)

export const parseId = (text: string | undefined): number | undefined => parseIds(text)[0]

/** The statuses of the people in the chart, as in the default of the report. */
export const chartStatuses: readonly string[] = ['active', 'on_leave', 'suspended']
