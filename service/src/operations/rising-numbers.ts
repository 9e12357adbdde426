/** In charge of rising lists of numbers, as statements hand them over in one text. */

export const numbers = (text: string | null | undefined): Float64Array =>
  text == null || text === '' ? new Float64Array() : Float64Array.from(text.split(','), Number)

/** Index of the last entry of a rising list that is at most the value; 0 where none is. */
export const lastAtMost = (list: Float64Array, value: number): number => {
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((list[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
