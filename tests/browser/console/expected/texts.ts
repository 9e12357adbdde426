/** How numbers and days are written on the screens, as SQL expressions. Spaces of any kind are compared as one space. */

/** A figure with the texts that the page may show for it. A bar or dot without text is known by its label. */
export interface ExpectedFigure {
  readonly name: string
  readonly text: string
  readonly label?: string | null
}

/** 1,234 */
export const integer = (value: string): string => `to_char(${value}, 'FM999,999,990')`

/** 0.85 % and 12.3 % */
export const rate = (value: string): string =>
  `case when ${value} < 0.1 then to_char(${value} * 100, 'FM990.00') else to_char(${value} * 100, 'FM990.0') end || ' %'`

/** 8.8 % */
export const share = (value: string): string => `to_char(${value} * 100, 'FM990.0') || ' %'`

/** 23.5, but 23 without decimals */
export const decimal = (value: string): string => `regexp_replace(to_char(${value}, 'FM999,990.0'), '\\.0$', '')`

/** 23.5 and 23.0 */
export const oneDecimal = (value: string): string => `to_char(${value}, 'FM999,990.0')`

/** 43 % */
export const wholeShare = (value: string): string => `to_char(${value} * 100, 'FM990') || ' %'`

/** Work from home, for work_from_home */
export const valueLabel = (value: string): string =>
  `upper(left(replace(${value}, '_', ' '), 1)) || substr(replace(${value}, '_', ' '), 2)`

/** 1 day and 2 days */
export const days = (value: string): string =>
  `${integer(value)} || case when ${value} = 1 then ' day' else ' days' end`

/** Fri 13 Nov 2026 */
export const weekday = (day: string): string => `to_char(${day}, 'Dy FMDD Mon YYYY')`
/** 13 Nov 2026 */
export const shortDay = (day: string): string => `to_char(${day}, 'FMDD Mon YYYY')`
/** Nov 2026 */
export const shortMonth = (day: string): string => `to_char(${day}, 'Mon YYYY')`
/** November 2026 */
export const longMonth = (day: string): string => `to_char(${day}, 'FMMonth YYYY')`
