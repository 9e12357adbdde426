/** In charge of rising lists of numbers, as statements hand them over in one text. */

/** Read digit by digit: the pieces of a text of a megabyte would be strings by the hundred thousand. */
export const numbers = (text: string | null | undefined): Float64Array => {
  if (text == null || text === '') return new Float64Array()
  let count = 1
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count += 1
  const found = new Float64Array(count)
  let start = 0
  for (let index = 0; index < count; index += 1) {
    const comma = text.indexOf(',', start)
    found[index] = wholeNumber(text, start, comma === -1 ? text.length : comma)
    start = comma + 1
  }
  return found
}

const wholeNumber = (text: string, start: number, end: number): number => {
  const negative = text.charCodeAt(start) === minus
  let value = 0
  for (let at = negative ? start + 1 : start; at < end; at += 1) value = value * 10 + text.charCodeAt(at) - zero
  return negative ? -value : value
}

const minus = '-'.charCodeAt(0)
const zero = '0'.charCodeAt(0)

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
