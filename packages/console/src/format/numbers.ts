const integers = new Intl.NumberFormat('en')
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Formats shares as percentages. A product with 100 would not be exact: 0.0905 would become 9.0 instead of 9.1. */
const percentages = (minimumFractionDigits: number, maximumFractionDigits: number) => {
  const format = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits, maximumFractionDigits })
  return (share: number): string => format.format(share).replace('%', '\u202f%')
}
const rates = percentages(1, 1)
const preciseRates = percentages(2, 2)
const wholeRates = percentages(0, 0)
const axisRates = percentages(0, 2)

export const formatInteger = (value: number): string => integers.format(value).replace('-', '\u2212')
export const formatDecimal = (value: number): string => decimals.format(value).replace('-', '\u2212')

/** Formats a difference with its sign: `+466`, `−12`. */
export const formatChange = (value: number): string => `${value > 0 ? '+' : ''}${formatInteger(value)}`

/** For columns of numbers that all have one decimal. */
export const formatOneDecimal = (value: number): string => oneDecimal.format(value).replace('-', '\u2212')

/** Formats a share such as 0.0085 as `0.85 %`. Shares below 10 % have two decimals. */
export const formatRate = (share: number): string => (share < 0.1 ? preciseRates : rates)(share)

/** Formats a share with one decimal, as turnover has it: `8.8 %`. */
export const formatShare = (share: number): string => rates(share)

/** Formats a share without decimals: `43 %`. */
export const formatWholeShare = (share: number): string => wholeRates(share)

/** Formats a tick of an axis, which is a round share: 0.005 as `0.5 %`, 0.2 as `20 %`. */
export const formatAxisRate = (share: number): string => axisRates(share)

export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${integers.format(Math.ceil(bytes / 1_000))} kB` : `${decimals.format(bytes / 1_000_000)} MB`
