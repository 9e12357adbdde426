/** Two names that differ by more edits than this are not suggested for each other, however long they are. */
const maxEdits = 3

/**
 * Returns the candidate that differs from the input by the fewest edits, or undefined if none is close enough: at most
 * three edits, and at most one edit for every three characters of the longer name.
 */
export const suggestion = (input: string, candidates: readonly string[]): string | undefined => {
  let best: { name: string; edits: number } | undefined
  for (const name of candidates) {
    const allowedEdits = Math.min(maxEdits, Math.floor(Math.max(input.length, name.length) / 3))
    const edits = countEditsUpTo(input, name, Math.min(allowedEdits, (best?.edits ?? Infinity) - 1))
    if (edits !== undefined) best = { name, edits }
  }
  return best?.name
}

/** Returns the end of a sentence about an unknown name: `; did you mean status?`, or a full stop. */
export const didYouMean = (input: string, candidates: readonly string[], format = (name: string) => name): string => {
  const match = suggestion(input, candidates)
  return match === undefined ? '.' : `; did you mean ${format(match)}?`
}

/**
 * Counts the characters that must be inserted, deleted, replaced or swapped with their neighbour to turn `a` into `b`
 * (optimal string alignment distance). Returns undefined if more than `max` edits are needed. It stops counting as soon
 * as that is certain: without this, 20 names of 100 characters took 45 ms.
 */
const countEditsUpTo = (a: string, b: string, max: number): number | undefined => {
  if (Math.abs(a.length - b.length) > max) return undefined
  let previous: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[line - 1] === b[column - 1]
      const isSwap = line > 1 && column > 1 && a[line - 1] === b[column - 2] && a[line - 2] === b[column - 1]
      const edits = Math.min(
        (row[column - 1] as number) + (isSame ? 0 : 1),
        (row[column] as number) + 1,
        (next[column - 1] as number) + 1,
      )
      next.push(isSwap ? Math.min(edits, (previous[column - 2] as number) + 1) : edits)
    }
    if (Math.min(...next) > max) return undefined
    previous = row
    row = next
  }
  const edits = row[b.length] as number
  return edits <= max ? edits : undefined
}
