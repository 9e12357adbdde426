/** Figures of `npm run bench -- sync`, beside those of earlier versions of the reader. */
export const syncHeads: readonly string[] = ['File', 'Version of the reader', 'Duration', 'CPU time', 'Memory']

const plainFile = 'CSV with the names of fields, without a map'
const sheet = 'Excel file, through a map'

export const syncRows: readonly (readonly string[])[] = [
  [plainFile, 'before maps said how files are written', '81 s', '55 s', '205 MB'],
  [plainFile, 'now', '147 s', '54 s', '204 MB'],
  ['CSV with semicolons, Windows-1252 and decimal commas, through a map', 'now', '108 s', '60 s', '210 MB'],
  [sheet, 'before checksums, namespaces and merged cells were checked', '138 s', '72 s', '260 MB'],
  [sheet, 'now', '105 s', '70 s', '216 MB'],
]
