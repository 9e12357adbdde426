/** References that a plan would break: to records that it deletes, and from the values of `--gone`. */
import type { Resource } from '@muster/model'
import { resources as allResources, resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { fieldOf } from './match.ts'
import type { ResourcePlan } from './plan.ts'
import { goneTable } from './plan.ts'

/** Sentences about records to delete that other records refer to; empty if there are none. */
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
        const { rows } = await client.query<{ count: string; deleted: string; example: string; example_id: string }>(
          `select count(*), count(distinct deleted.id) as deleted, min(deleted.id) as example,
             min(referring.id) as example_id
           from public.${quoteIdentifier(referring.table)} as referring
           join ${goneTable(resource)} as deleted on deleted.id = referring.${quoteIdentifier(name)}
           ${staying === undefined ? '' : `where ${staying}`}`,
        )
        const [found] = rows
        if (found === undefined || found.count === '0') continue
        sentences.push(
          `${resource.path}: ${found.deleted} of the records to delete (such as id ${found.example}) are referenced by ${name} of ${found.count} ${referring.titles} (such as id ${found.example_id}). Use --gone instead of --delete, or sync ${referring.path} in the same run (--all).`,
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
