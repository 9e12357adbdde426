/** Parses comma-separated integers digit by digit: splitting a megabyte of text would create 100,000 strings. */
export const parseNumbers = (text: string | null | undefined): Float64Array => {
  if (text == null || text === '') return new Float64Array()
  let count = 1
  for (let position = text.indexOf(','); position !== -1; position = text.indexOf(',', position + 1)) count += 1
  const numbers = new Float64Array(count)
  let start = 0
  for (let index = 0; index < count; index += 1) {
    const commaIndex = text.indexOf(',', start)
    numbers[index] = parseInteger(text, start, commaIndex === -1 ? text.length : commaIndex)
    start = commaIndex + 1
  }
  return numbers
}

const parseInteger = (text: string, start: number, end: number): number => {
  const isNegative = text.charCodeAt(start) === minusCode
  let value = 0
  for (let position = isNegative ? start + 1 : start; position < end; position += 1)
    value = value * 10 + text.charCodeAt(position) - zeroCode
  return isNegative ? -value : value
}

const minusCode = '-'.charCodeAt(0)
const zeroCode = '0'.charCodeAt(0)

/** Index of the last entry of a sorted array that is at most `value`; 0 if there is none. */
export const lastAtMost = (sorted: Float64Array, value: number): number => {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
