/** Makes the stored records of resources equal to files, in one transaction, or changes nothing. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { OperatorError } from '../errors.ts'
import { commitRows, explainConcurrentChange, withBulkSession } from '../import-export/bulk-session.ts'
import type { CheckOptions } from '../import-export/checks.ts'
import { checkStaged, createErrorsTable } from '../import-export/checks.ts'
import { deleteRestoredKeys } from '../import-export/erased-rows.ts'
import { inReferenceOrder } from '../import-export/insert-staged.ts'
import type { Source } from '../import-export/source.ts'
import type { SourceResult } from '../import-export/source-result.ts'
import { readResult } from '../import-export/source-result.ts'
import type { StagedSource } from '../import-export/staging.ts'
import { givenBit, stageSource, stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { readRecordChanges } from './diff.ts'
import { earlierGoneDays, rejectEarlierDays, requireNotFuture, setEffectiveDay } from './effective-day.ts'
import type { Lookup } from './lookups.ts'
import { resolveLookup } from './lookups.ts'
import { chooseKey, matchRecords } from './match.ts'
import type { SyncOptions, SyncSource } from './options.ts'
import type { ResourcePlan } from './plan.ts'
import { goneDateErrors, planResource, safeguardErrors, withoutErased } from './plan.ts'
import { maskErrors, syncRules } from './read-rules.ts'
import { danglingReferences, missingGoneReferences } from './references.ts'
import { checkRows } from './row-checks.ts'
import { storePlans } from './store.ts'

export interface SyncResult {
  readonly sources: readonly SourceResult[]
  /** What the sync did, or would do, to each resource. Empty if a line was rejected. */
  readonly plans: readonly ResourcePlan[]
  /** Why the whole sync was refused; empty if it was not. */
  readonly refusals: readonly string[]
  readonly outcome: 'rejected' | 'refused' | 'unchanged' | 'changed'
  /** What the operator should know although the sync succeeded. */
  readonly note?: string
}

export const syncSources = (options: SyncOptions): Promise<SyncResult> =>
  withBulkSession(options.connectionString, 'sync', async (client) => {
    try {
      return await syncAll(client, options)
    } catch (error) {
      throw explainConcurrentChange(error) ?? error
    }
  })

interface Run {
  readonly options: SyncOptions
  /** In the order of their references. */
  readonly sources: readonly SyncSource[]
  /** The fields that each file contains, without the id. */
  readonly fieldsOf: (resource: Resource) => readonly string[]
  readonly keyOf: (resource: Resource) => readonly string[]
  readonly checks: CheckOptions
}

const syncAll = async (client: Client, options: SyncOptions): Promise<SyncResult> => {
  const { dryRun, onProgress = () => {} } = options
  const stagedSources: StagedSource[] = []
  for (const source of options.sources)
    stagedSources.push(
      await stageSource(client, source, syncRules(source, options), (lines) =>
        onProgress({ phase: 'reading', source, lines }),
      ),
    )
  for (const { source, lines } of stagedSources) requireLines(source, lines)
  const lines = stagedSources.reduce((sum, source) => sum + source.lines, 0)
  const run = await openRun(client, options, stagedSources)
  await client.query('begin isolation level repeatable read')
  try {
    onProgress({ phase: 'checking', lines })
    if (!dryRun) await lockTables(client, run)
    if (options.effectiveOn !== undefined) await requireNotFuture(client, options.effectiveOn)
    await matchAll(client, run)
    const sources: SourceResult[] = []
    for (const stagedSource of stagedSources) {
      const result = await readResult(client, stagedSource)
      sources.push(options.showValues ? result : maskErrors(result, lookupsOf(run, result.source)))
    }
    const result = await planAll(client, run, sources)
    if (result.outcome !== 'changed' || dryRun) {
      if (result.outcome === 'changed' || result.outcome === 'unchanged') options.onLastChange?.()
      await client.query('rollback')
      return result
    }
    onProgress({ phase: 'storing', lines })
    await storeAll(client, run, result.plans)
    const note = await updateStatistics(client, result.plans)
    return note === undefined ? result : { ...result, note }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** An empty file is never what an operator means: it would delete or mark every record. */
const requireLines = ({ name, resource }: SyncSource, lines: number): void => {
  if (lines === 0) throw new OperatorError(`${name} contains no ${resource.titles}: an empty file is not synced.`)
}

const openRun = async (client: Client, options: SyncOptions, stagedSources: readonly StagedSource[]): Promise<Run> => {
  const ordered = inReferenceOrder(options.sources.map(({ resource }) => resource))
  const sources = ordered.map(
    ({ path }) => options.sources.find(({ resource }) => resource.path === path) as SyncSource,
  )
  const fields = new Map<string, readonly string[]>()
  const keys = new Map<string, readonly string[]>()
  for (const resource of ordered) {
    const { rows } = await client.query<{ given: string }>(
      `select coalesce(bit_or(given), 0) as given from ${stagingTable(resource)}`,
    )
    const names = resource.storedFields.filter(({ kind }) => kind !== 'id').map(({ name }) => name)
    fields.set(
      resource.path,
      names.filter((name) => (BigInt(rows[0]?.given ?? 0) & BigInt(givenBit(resource, name))) !== 0n),
    )
    const headerFields = stagedSources.find(({ source }) => source.resource.path === resource.path)?.headerFields
    keys.set(resource.path, await chooseKey(client, resource, { requestedKey: options.key, headerFields }))
  }
  return {
    options,
    sources,
    fieldsOf: ({ path }) => fields.get(path) as readonly string[],
    checks: {
      skipBad: options.skipBad,
      stays: (resource, alias) => (fields.has(resource.path) ? stayingRows(resource, alias, options) : undefined),
      // The keys are compared when the records are matched, and the ids too.
      uniqueRules: (resource) => resource.unique.filter((names) => names.join() !== keys.get(resource.path)?.join()),
    },
    keyOf: ({ path }) => keys.get(path) as readonly string[],
  }
}

/** SQL condition for the stored rows that no valid line replaces and that are not deleted. */
const stayingRows = (resource: Resource, alias: string, { goneRule }: SyncOptions): string => {
  const staged = `select from ${stagingTable(resource)} as replacing where replacing.id = ${alias}.id`
  return goneRule(resource).action === 'delete'
    ? `exists (${staged} and replacing.bad)`
    : `not exists (${staged} and not replacing.bad)`
}

/**
 * Excludes other syncs and imports of the same resources, but neither reads nor creates. What other sessions write
 * meanwhile is not in the snapshot of this transaction, so it is neither compared nor taken as missing from the file.
 */
const lockTables = async (client: Client, { sources }: Run): Promise<void> => {
  const tables = sources.map(({ resource }) => `public.${quoteIdentifier(resource.table)}`).toSorted()
  await client.query(`lock table ${tables.join(', ')} in share update exclusive mode`)
}

/** Completes the staged rows of all sources and checks them. */
const matchAll = async (client: Client, { options, sources, checks, keyOf }: Run): Promise<void> => {
  await createErrorsTable(client)
  const matchedPaths = new Set<string>()
  const resolve = (resource: Resource, lookup: Lookup): Promise<void> =>
    resolveLookup(client, resource, lookup, {
      staying: checks.stays?.(lookup.target, 'found'),
      skipBad: options.skipBad,
    })
  const waiting: { resource: Resource; lookup: Lookup }[] = []
  const stagedPaths = new Set(sources.map(({ resource }) => resource.path))
  for (const { resource, map } of sources) {
    for (const lookup of map?.lookups ?? []) {
      // A record of a file that is not matched yet may be new, and have no id.
      if (stagedPaths.has(lookup.target.path) && !matchedPaths.has(lookup.target.path))
        waiting.push({ resource, lookup })
      else await resolve(resource, lookup)
    }
    await matchRecords(client, resource, keyOf(resource), map?.lookups.map(({ field }) => field) ?? [])
    matchedPaths.add(resource.path)
  }
  for (const { resource, lookup } of waiting) await resolve(resource, lookup)
  const staged = sources.map(({ resource }) => resource)
  for (const resource of staged) {
    await checkRows(client, resource, { staged, restoreErased: options.restoreErased })
    if (options.effectiveOn !== undefined) await rejectEarlierDays(client, resource, options.effectiveOn)
  }
  await checkStaged(client, staged, checks)
}

const lookupsOf = ({ sources }: Run, { resource }: Source): readonly Lookup[] =>
  sources.find((source) => source.resource.path === resource.path)?.map?.lookups ?? []

const planAll = async (client: Client, run: Run, sources: readonly SourceResult[]): Promise<SyncResult> => {
  const { options, fieldsOf, checks } = run
  if (!options.skipBad && sources.some(({ rejectedLines }) => rejectedLines > 0))
    return { sources, plans: [], refusals: [], outcome: 'rejected' }
  const plans: ResourcePlan[] = []
  const refusals: string[] = []
  for (const { resource, name } of run.sources) {
    const givenRule = options.goneRule(resource)
    const goneRule = options.restoreErased ? givenRule : withoutErased(resource, givenRule)
    if (goneRule.action !== 'keep') refusals.push(...(await unidentifiedLines(client, run, { resource, name })))
    plans.push(await planResource(client, resource, { goneRule, fields: fieldsOf(resource) }))
  }
  for (const { source, lines, rejectedLines } of sources)
    if (lines === rejectedLines) refusals.push(`${source.name} contains no valid line.`)
  for (const plan of plans) {
    refusals.push(...safeguardErrors(plan, options.atMostPercent))
    refusals.push(...(await goneDateErrors(client, plan)))
    if (options.effectiveOn !== undefined) refusals.push(...(await earlierGoneDays(client, plan, options.effectiveOn)))
  }
  const stays = (resource: Resource, alias: string): string | undefined => checks.stays?.(resource, alias)
  refusals.push(...(await missingGoneReferences(client, plans, stays)))
  refusals.push(...(await danglingReferences(client, plans, stays)))
  if (options.onChange !== undefined)
    for (const plan of plans) {
      const map = run.sources.find(({ resource }) => resource.path === plan.resource.path)?.map
      await readRecordChanges(
        client,
        plan,
        {
          fields: fieldsOf(plan.resource),
          defaultFields: [...(map?.defaults.keys() ?? [])],
          lookups: map?.lookups ?? [],
          isStaged: (resource) => run.sources.some((source) => source.resource.path === resource.path),
          showValues: options.showValues,
        },
        options.onChange,
      )
    }
  if (refusals.length > 0) return { sources, plans, refusals, outcome: 'refused' }
  const isUnchanged = plans.every(({ created, updated, gone }) => created + updated + gone === 0)
  return { sources, plans, refusals, outcome: isUnchanged ? 'unchanged' : 'changed' }
}

/**
 * A skipped line without a valid key could stand for any record, and one that fits several records for each of them.
 * The record would then be taken as missing from the file.
 */
const unidentifiedLines = async (
  client: Client,
  { keyOf }: Run,
  { resource, name }: Pick<SyncSource, 'resource' | 'name'>,
): Promise<string[]> => {
  const hasNoKey = keyOf(resource).map((field) => (field === 'id' ? 'id < 0' : `${quoteIdentifier(field)} is null`))
  const { rows } = await client.query<{ line: string; ambiguous: boolean }>(
    `select line, ambiguous from ${stagingTable(resource)}
     where bad and (ambiguous or not matched and (${hasNoKey.join(' or ')})) order by line limit 1`,
  )
  return rows.map(({ line, ambiguous }) => {
    const reason = ambiguous
      ? 'fits several records, which could be taken as missing'
      : 'has no valid key, so its record could be taken as missing'
    return `${name}:${line}: the skipped line ${reason}. Fix the line, or leave out --gone and --delete.`
  })
}

const storeAll = async (client: Client, run: Run, plans: readonly ResourcePlan[]): Promise<void> => {
  const { options, fieldsOf } = run
  if (options.effectiveOn !== undefined) await setEffectiveDay(client, options.effectiveOn)
  await storePlans(client, plans, { connectionString: options.connectionString, fieldsOf })
  if (options.restoreErased)
    for (const { resource } of plans) await deleteRestoredKeys(client, resource, { partial: true })
  // Checks the deferred constraints: from here on, only a lost connection can make the commit fail.
  await client.query('set constraints all immediate')
  options.onLastChange?.()
  await commitRows(client)
}

/**
 * Updates the planner statistics, because autovacuum would update them only minutes later. The records are stored
 * already, so an error is returned as a note.
 */
const updateStatistics = async (client: Client, plans: readonly ResourcePlan[]): Promise<string | undefined> => {
  const tables = plans.map(({ resource }) => `public.${quoteIdentifier(resource.table)}`)
  try {
    await client.query(`analyze ${tables.join(', ')}`)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The records are stored, but the planner statistics could not be updated (${reason}): run ANALYZE, or leave it to autovacuum.`
  }
}
