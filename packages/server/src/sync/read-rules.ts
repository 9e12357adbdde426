/** How the files of syncs and job histories are read, and how their errors are shown. */
import { masked } from '../import-export/row-error.ts'
import { openRowReader } from '../import-export/row-reader.ts'
import { isTextSource } from '../import-export/source.ts'
import type { SourceResult } from '../import-export/source-result.ts'
import type { StagingRules } from '../import-export/staging.ts'
import { identityMap } from './field-map.ts'
import type { Lookup } from './lookups.ts'
import { openMappedReader } from './mapped-reader.ts'
import { fieldOf } from './match.ts'
import type { SyncOptions, SyncSource } from './options.ts'

export const syncRules = (
  source: SyncSource,
  { emptyKeeps, skipBad, dryRun }: Pick<SyncOptions, 'emptyKeeps' | 'skipBad' | 'dryRun'>,
): StagingRules => ({
  partial: true,
  emptyIsOmitted: emptyKeeps,
  groupErrors: true,
  lookupFields: source.map?.lookups.map(({ field }) => field) ?? [],
  openReader: (optionalFields) =>
    source.map === undefined && isTextSource(source)
      ? openRowReader(source, optionalFields)
      : openMappedReader(source.map ?? identityMap(source.resource), source, { skipBad, dryRun }),
})

/** Masks the values of personal fields, and those by which a map looks up a record, such as an e-mail address. */
export const maskErrors = (result: SourceResult, lookups: readonly Lookup[]): SourceResult => {
  const { resource } = result.source
  const isPersonal = (name: string): boolean => {
    const lookup = lookups.find(({ field }) => field === name)
    return (lookup === undefined ? fieldOf(resource, name) : fieldOf(lookup.target, lookup.by)).personal
  }
  return {
    ...result,
    errors: result.errors.map((error) =>
      error.field !== undefined && isPersonal(error.field) ? masked(error) : error,
    ),
  }
}
