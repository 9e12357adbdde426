/** In charge of "did you mean": finds, among names that are known, the one that somebody may have wanted to write. */

/** The known name with the fewest edits to the given one. */
export const nearest = (given: string, known: readonly string[]): string =>
  known.reduce((best, name) => (edits(given, name) < edits(given, best) ? name : best), known[0] ?? '')

/** Longer names are nobody's slip, and would take long to compare. */
const maxLength = 100

/** The same where it is near enough to be meant: with more than half of it wrong, a name is another one. */
export const likely = (given: string, known: readonly string[]): string | undefined => {
  if (given.length > maxLength || known.length === 0) return undefined
  const name = nearest(given, known)
  return edits(given, name) <= Math.max(given.length, name.length) / 2 ? name : undefined
}

const edits = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const substituted = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(substituted, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
