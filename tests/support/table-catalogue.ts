import type { ClientBase } from 'pg'

/** Columns, constraints, indexes and triggers of the tables, and the functions that make the texts of records. */
export const readTableCatalogue = async (
  client: Pick<ClientBase, 'query'>,
  tables: readonly string[],
): Promise<{ name: string; definition: string }[]> => {
  const { rows } = await client.query(
    `with tables as (select oid from pg_class where relname = any ($1) and relnamespace = 'public'::regnamespace)
     select 'column ' || c.relname || '.' || a.attname as name,
       concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation, pg_get_expr(adbin, adrelid), attgenerated, attidentity, attstattarget) as definition
     from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef on adrelid = c.oid and adnum = attnum
     where c.oid in (table tables) and attnum > 0 and not attisdropped
     union all
     select 'statistics ' || i.indexrelid::regclass, attstattarget::text
     from pg_index i join pg_attribute a on a.attrelid = i.indexrelid where i.indrelid in (table tables)
       and i.indexrelid::regclass::text <> 'history_changes_idx'
     union all select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint where conrelid in (table tables)
     union all select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index where indrelid in (table tables)
       -- Not for a filter, so no declaration has it (0014-history-reports.sql).
       and indexrelid::regclass::text <> 'history_changes_idx'
     union all select 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger
       where tgrelid in (table tables) and not tgisinternal
     union all select 'function ' || oid::regprocedure, pg_get_functiondef(oid) from pg_proc
       where proname ~ '^muster_(record|counts|history|versions|values_on)_' and pronamespace = 'public'::regnamespace
     order by 1, 2`,
    [tables],
  )
  return rows
}
