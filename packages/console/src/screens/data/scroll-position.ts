/**
 * Rows of a list of any length in a scrolling element. Browsers limit the height of an element to between 17 and 33
 * million pixels, so the element holds a part of the list, which moves along when its ends come near.
 */

/** With rows of 80 px, the part is 1.6 million pixels high. */
export const maxRowsInPart = 20_000

/** The first row of the part that shows the row. It stays as it is while the row is not near an end of the part. A negative part is none yet. */
export const partAround = (row: number, part: number, total: number): number => {
  const last = Math.max(0, total - maxRowsInPart)
  const margin = maxRowsInPart / 8
  const isInside =
    part >= 0 &&
    part <= last &&
    (row >= part + margin || part === 0) &&
    (row < part + maxRowsInPart - margin || part === last) &&
    row >= part &&
    row < part + maxRowsInPart
  return isInside ? part : Math.min(last, Math.max(0, Math.floor(row - maxRowsInPart / 2)))
}

/** The share of the track above the thumb, from 0 to 1. */
export const positionOfRow = (row: number, total: number, visible: number): number => {
  const last = total - visible
  return last <= 0 ? 0 : Math.min(1, Math.max(0, row / last))
}

/** The first visible row for a position of the thumb: the inverse of `positionOfRow`. */
export const rowAtPosition = (position: number, total: number, visible: number): number =>
  Math.round(Math.min(1, Math.max(0, position)) * Math.max(0, total - visible))

const steps = [1, 2, 5]

/** Row numbers at round distances, with at most `most` of them between the first and the last row. */
export const scrollTicks = (total: number, most: number): number[] => {
  if (total < 2) return []
  for (let power = 1; ; power *= 10) {
    for (const step of steps) {
      const distance = step * power
      const count = Math.ceil(total / distance) - 1
      if (count <= most)
        // A tick close to the last row would cover its label.
        return [
          1,
          ...Array.from({ length: count }, (_, index) => (index + 1) * distance).filter(
            (row) => row > 1 && row < total - distance / 2,
          ),
          total,
        ]
    }
  }
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })

/** `200 k`, as labels of ticks. */
export const formatTick = (row: number): string =>
  compact.format(row).replace(/([A-Z])$/, (unit) => `\u202f${unit === 'K' ? 'k' : unit}`)

/** What the reader wrote into "Go to row", as in `9,900,000` or `9 900 000`. Undefined if it is no row number. */
export const parseRowNumber = (text: string, total: number): number | undefined => {
  const digits = text.replace(/[\s,._'’]/g, '')
  return /^\d{1,15}$/.test(digits) ? Math.min(total, Math.max(1, Number(digits))) : undefined
}
