/** Larger files are better written by curl than by a browser. */
export const maxFileBytes = 50_000_000

const encoder = new TextEncoder()

/** The expected size of a CSV file with this number of rows, from the average of a sample. */
export const estimatedBytes = (sample: readonly Readonly<Record<string, unknown>>[], rows: number): number => {
  if (sample.length === 0) return 0
  const bytes = sample.reduce((sum, row) => sum + rowBytes(row), 0)
  return Math.round((bytes / sample.length) * rows)
}

const rowBytes = (row: Readonly<Record<string, unknown>>): number =>
  Object.values(row)
    .map((value) => (value === null || value === undefined ? '' : String(value)))
    // Texts with a comma, a quote or a line break are quoted, and quotes are doubled.
    .map((text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .reduce((sum, text) => sum + encoder.encode(text).length + 1, 0)
