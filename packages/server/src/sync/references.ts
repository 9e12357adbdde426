/** Records that cannot be deleted, because a record that stays refers to them. */
import type { Resource } from '@muster/model'
import { resources as allResources } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
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
