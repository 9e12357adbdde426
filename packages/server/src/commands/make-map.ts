/** `muster sync --make-map`: drafts a map from a file, without a database. */
import type { Source } from '../import-export/source.ts'
import { inputFormats } from '../import-export/source.ts'
import { printableLines } from '../printable.ts'
import { draftMap } from '../sync/draft/draft-map.ts'
import type { Io } from './command.ts'
import { UsageError } from './command.ts'
import { sourceNamed } from './input-files.ts'
import { findResource, resourcePaths } from './named-resource.ts'
import { formatCount } from './progress.ts'
import { mapsWithColumns } from './sync-maps.ts'

export const makeMap = async (
  file: string,
  {
    positionals,
    format,
    io,
  }: { readonly positionals: readonly string[]; readonly format: Source['format'] | undefined; readonly io: Io },
): Promise<void> => {
  const [path, surplus] = positionals
  if (surplus !== undefined) throw new UsageError(`--make-map reads ${file}: remove "${surplus}".`)
  const resource = path === undefined ? undefined : findResource(path)
  const source = await sourceNamed([path ?? (resourcePaths[0] as string), file], format, {
    ...io,
    formats: inputFormats,
  })
  const draft = await draftMap(source, resource)
  io.stdout.write(`${printableLines(JSON.stringify(draft.map, null, 2))}\n`)
  const decisions =
    draft.unsureCount === 0
      ? 'It has no open questions.'
      : `It has ${formatCount(draft.unsureCount, 'open question', 'open questions')} in "unsure". Decide and remove each: sync refuses the map until then.`
  io.stderr.write(`Drafted a map of ${draft.resource.titles}. ${decisions}\n`)
  const maps = await mapsWithColumns(draft.resource, draft.columns)
  if (maps.length > 0)
    io.stderr.write(`A map of this release has all columns of the file: --map ${maps.join(' or --map ')}\n`)
}
