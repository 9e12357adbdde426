/** References that a plan would break: to records that it removes, and from the values of `--gone`. */
import type { Resource } from '@muster/model'
import { resources as allResources, resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { fieldOf } from './match.ts'
import type { ResourcePlan } from './plan.ts'
import { goneTable } from './plan.ts'

/** Sentences about removed records that other records refer to; empty if there are none. */
export const danglingReferences = async (
  client: Client,
  plans: readonly ResourcePlan[],
  stays: (resource: Resource, alias: string) => string | undefined,
): Promise<string[]> => {
  const sentences: string[] = []
  for (const { resource, goneRule, gone } of plans) {
    if (goneRule.action !== 'delete' || gone === 0) continue
    for (const referring of allResources) {
      const staying = stays(referring, 'referring')
      for (const { name, references } of referring.storedFields) {
        if (references?.resource !== resource.path) continue
        const { rows } = await client.query<{ count: string; removed: string; example: string; example_id: string }>(
          `select count(*), count(distinct removed.id) as removed, min(removed.id) as example,
             min(referring.id) as example_id
           from public.${quoteIdentifier(referring.table)} as referring
           join ${goneTable(resource)} as removed on removed.id = referring.${quoteIdentifier(name)}
           ${staying === undefined ? '' : `where ${staying}`}`,
        )
        const [found] = rows
        if (found === undefined || found.count === '0') continue
        sentences.push(
          `${resource.path}: ${found.removed} of the records to remove, such as ${found.example}, are named as ${name} by ${found.count} ${referring.titles}, such as ${found.example_id}. Mark them with --gone instead, or sync ${referring.path} too.`,
        )
      }
    }
  }
  return sentences
}

/** Sentences about values of `--gone` that refer to no record; empty if there are none. */
export const missingGoneReferences = async (
  client: Client,
  plans: readonly ResourcePlan[],
  stays: (resource: Resource, alias: string) => string | undefined,
): Promise<string[]> => {
  const sentences: string[] = []
  for (const { resource, goneRule } of plans) {
    for (const { field, value } of goneRule.action === 'mark' ? goneRule.values : []) {
      const path = fieldOf(resource, field).references?.resource
      if (path === undefined || value === null) continue
      const target = resourceAt(path)
      const staying = stays(target, 'found')
      const stored = `select from public.${quoteIdentifier(target.table)} as found where id = $1`
      const { rowCount } = await client.query(
        staying === undefined
          ? stored
          : `${stored} and ${staying} union all select from ${stagingTable(target)} where id = $1 and not bad`,
        [value],
      )
      if (rowCount === 0)
        sentences.push(
          `${resource.path}: --gone sets ${field} to ${String(value)}, but no ${target.title} has this id.`,
        )
    }
  }
  return sentences
}
