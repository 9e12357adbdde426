-- Row counts and table versions: how many rows each table has, how often it changed, and at which id its n-th row is.
-- Triggers update them in the writer's own transaction, so they are exact in every snapshot and for every writer, COPY and
-- psql included. Triggers and maintenance run with the owner's rights (security definer): a role that may only read and
-- insert keeps the counts up to date and cannot change them in any other way.

-- One row per table and database session, so that no two sessions wait for each other's row lock.
-- sum(rows) is the exact number of rows; sum(changes) grows with every statement that changed the table.
-- Session 0 holds the sums of sessions that have ended.
create table muster_table_versions (
  table_name text collate "C" not null,
  session integer not null,
  rows bigint not null,
  changes bigint not null,
  primary key (table_name, session)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A row that is always there, so that a query of all versions has a result before any table has changed.
insert into muster_table_versions values ('', 0, 0, 0);

-- Rows added or removed per bucket of 256 ids, one entry per statement. The filter key is '' for all rows, or "status=open"
-- for the rows that a filter on a counted column finds.
create table muster_count_deltas (
  table_name text collate "C" not null,
  filter_key text collate "C" not null,
  bucket bigint not null,
  rows bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index muster_count_deltas_filter_key_idx on muster_count_deltas (table_name, filter_key, bucket);

-- The compacted deltas: rows per bucket of 2^8, 2^16 and 2^24 ids (level 8, 16 and 24). A count is the sum of buckets and
-- deltas.
create table muster_count_buckets (
  table_name text collate "C" not null,
  filter_key text collate "C" not null,
  level smallint not null,
  bucket bigint not null,
  rows integer not null,
  primary key (table_name, filter_key, level, bucket)
);

-- The filter keys of a row "r" as the list of a VALUES clause.
create function public.muster_filter_keys(_states text[]) returns text
language sql immutable
return '('''')' || coalesce((select string_agg(format(', (%L operator(pg_catalog.||) public.muster_key(r.%I))', s || '=', s), '') from unnest(_states) s), '');

create function public.muster_update_table_version(_table text, _rows bigint) returns void
language plpgsql as $$
begin
  update public.muster_table_versions set rows = rows + _rows, changes = changes + 1
    where table_name = _table and session = pg_backend_pid();
  if not found then
    insert into public.muster_table_versions values (_table, pg_backend_pid(), _rows, 1);
  end if;
end
$$;

-- Creates the triggers of a table and counts its rows; _states are the columns whose values have a filter key each.
--
-- An insert of a single row, which is what a create does, takes one statement without grouping.
--
-- Enabled "always", a trigger also fires under session_replication_role = replica. It also leaves a trace of having been
-- off: "enable trigger" (which pg_restore --disable-triggers runs) sets it to "origin", and the health check reports that.
create function public.muster_track_table(_table text, _states text[]) returns void
language plpgsql as $$
declare
  filter_keys text := public.muster_filter_keys(_states);
  deltas text := 'insert into public.muster_count_deltas select %1$L, k.filter_key, r.id >> 8, %2$s from %3$s '
              || 'cross join lateral (values ' || replace(filter_keys, '%', '%%') || ') k (filter_key) group by k.filter_key, r.id >> 8';
begin
  execute format($f$
    create function public.muster_counts_%1$s_insert() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      inserted bigint := (select count(*) from added);
    begin
      if inserted = 1 then
        with delta as (
          insert into public.muster_count_deltas
            select %1$L, k.filter_key, r.id >> 8, 1 from added r cross join lateral (values %2$s) k (filter_key)
        )
        update public.muster_table_versions set rows = rows + 1, changes = changes + 1
          where table_name = %1$L and session = pg_backend_pid();
        if not found then
          insert into public.muster_table_versions values (%1$L, pg_backend_pid(), 1, 1);
        end if;
      elsif inserted > 1 then
        perform public.muster_update_table_version(%1$L, inserted);
        %3$s;
      end if;
      return null;
    end
    $b$;
    create trigger muster_counts_insert after insert on public.%1$I referencing new table as added
      for each statement execute function public.muster_counts_%1$s_insert();
    create function public.muster_counts_%1$s_delete() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      deleted bigint := (select count(*) from removed);
    begin
      if deleted > 0 then
        perform public.muster_update_table_version(%1$L, -deleted);
        %4$s;
      end if;
      return null;
    end
    $b$;
    create trigger muster_counts_delete after delete on public.%1$I referencing old table as removed
      for each statement execute function public.muster_counts_%1$s_delete();
    create function public.muster_counts_%1$s_update() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      if exists (select from added) then
        perform public.muster_update_table_version(%1$L, 0);
        %5$s having sum(r.sign) <> 0;
      end if;
      return null;
    end
    $b$;
    create trigger muster_counts_update after update on public.%1$I referencing old table as removed new table as added
      for each statement execute function public.muster_counts_%1$s_update();
    create function public.muster_counts_%1$s_truncate() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      -- An older snapshot would not show what other sessions wrote before the table was locked.
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'truncate %1$s in a transaction of isolation level read committed'
          using errcode = 'feature_not_supported';
      end if;
      perform public.muster_update_table_version(%1$L, -(select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = %1$L)::bigint);
      delete from public.muster_count_deltas where table_name = %1$L;
      delete from public.muster_count_buckets where table_name = %1$L;
      return null;
    end
    $b$;
    create trigger muster_counts_truncate after truncate on public.%1$I
      for each statement execute function public.muster_counts_%1$s_truncate();
    alter table public.%1$I enable always trigger muster_counts_insert;
    alter table public.%1$I enable always trigger muster_counts_delete;
    alter table public.%1$I enable always trigger muster_counts_update;
    alter table public.%1$I enable always trigger muster_counts_truncate;
    $f$,
    _table,
    filter_keys,
    format(deltas, _table, 'count(*)', 'added r'),
    format(deltas, _table, '-count(*)', 'removed r'),
    format(deltas, _table, 'sum(r.sign)', '(select 1 as sign, * from added union all select -1, * from removed) r')
  );
  perform public.muster_rebuild_counts(_table, _states);
end
$$;

-- Counts a table again and returns how far its row counts were off: 0 unless it was written to without its triggers.
create function public.muster_rebuild_counts(_table text, _states text[]) returns bigint
language plpgsql as $$
declare
  off_by bigint;
  counted bigint;
begin
  -- Excludes maintenance, which would compact the same deltas.
  perform pg_advisory_xact_lock(7264013, 1);
  execute format('lock table public.%I in share row exclusive mode', _table);
  perform public.muster_compact_counts(_table);
  create temporary table muster_counted on commit drop as select * from public.muster_count_buckets with no data;
  execute format(
    'insert into muster_counted select %1$L, k.filter_key, l.level, r.id >> l.level, count(*) from public.%1$I r '
    'cross join lateral (values ' || replace(public.muster_filter_keys(_states), '%', '%%') || ') k (filter_key) '
    'cross join (values (8), (16), (24)) l (level) group by k.filter_key, l.level, r.id >> l.level', _table);
  select coalesce(sum(abs(coalesce(c.rows, 0) - coalesce(b.rows, 0))), 0) into off_by
    from (select * from muster_counted) c
    full join (select * from public.muster_count_buckets where table_name = _table) b using (filter_key, level, bucket);
  select coalesce(sum(rows), 0) into counted from muster_counted where filter_key = '' and level = 24;
  off_by := off_by + abs(counted - (select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = _table));
  if off_by > 0 then
    delete from public.muster_count_buckets where table_name = _table;
    insert into public.muster_count_buckets select * from muster_counted;
    perform public.muster_update_table_version(_table, counted - (select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = _table)::bigint);
  end if;
  drop table muster_counted;
  return off_by;
end
$$;

-- Moves the deltas of a table into its buckets and returns their number. Buckets and deltas are always read together, so
-- readers see no difference.
create function public.muster_compact_counts(_table text) returns bigint
language plpgsql as $$
declare
  compacted bigint;
begin
  with taken as (
    delete from public.muster_count_deltas where table_name = _table returning filter_key, bucket, rows
  ), summed as (
    select filter_key, l.level, bucket >> (l.level - 8) as bucket, sum(rows) as rows
    from taken cross join (values (8), (16), (24)) l (level) group by 1, 2, 3 having sum(rows) <> 0
  ), stored as (
    insert into public.muster_count_buckets as b select _table, filter_key, level, bucket, rows from summed
    on conflict (table_name, filter_key, level, bucket) do update set rows = b.rows + excluded.rows
  )
  select count(*) into compacted from taken;
  return compacted;
end
$$;

-- Called every second by the service: compacts the deltas, and merges the versions of sessions that have ended. Returns at
-- once if another session is doing it.
create function public.muster_maintain() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  if not pg_try_advisory_xact_lock(7264013, 1) then
    return;
  end if;
  for name in select distinct table_name from public.muster_count_deltas loop
    perform public.muster_compact_counts(name);
  end loop;
  with ended as (
    delete from public.muster_table_versions v
    where session <> 0 and not exists (select from pg_stat_activity a where a.pid = v.session)
    returning table_name, rows, changes
  )
  insert into public.muster_table_versions as v
    select table_name, 0, sum(rows), sum(changes) from ended group by table_name
    on conflict (table_name, session) do update set rows = v.rows + excluded.rows, changes = v.changes + excluded.changes;
end
$$;

-- How many rows have one of the filter keys.
create function public.muster_row_count(_table text, _filter_keys text[]) returns bigint
language sql stable parallel safe
return (
  select coalesce(sum(rows), 0)::bigint from (
    select rows from public.muster_count_buckets where table_name = _table and filter_key = any (_filter_keys) and level = 24
    union all
    select rows from public.muster_count_deltas where table_name = _table and filter_key = any (_filter_keys)
  ) counted
);

-- The position of the row that _skip others with the same filter keys precede: the first id of its bucket of 256, and how
-- many of these rows precede it from there. Null past the end. Reads three short ranges of buckets, whatever the table size.
create function public.muster_seek_row(_table text, _filter_keys text[], _skip bigint, out start_id bigint, out remainder bigint)
-- The plans do not depend on the arguments, and planning would take longer than running.
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  _level smallint;
  low bigint := -4611686018427387904;
  high bigint := 4611686018427387903;
  -- Almost always: without deltas and with one key nothing has to be added up, which takes 0.16 ms instead of 0.39 ms.
  is_compact constant boolean := cardinality(_filter_keys) = 1 and not exists (
    select from public.muster_count_deltas where table_name = _table and filter_key = _filter_keys[1]);
begin
  remainder := _skip;
  foreach _level in array array[24, 16, 8] loop
    if is_compact then
      select w.bucket << 8, remainder - w.before into low, remainder from (
        select bucket, rows, (sum(rows) over (order by bucket rows unbounded preceding))::bigint - rows as before
        from public.muster_count_buckets
        where table_name = _table and filter_key = _filter_keys[1] and level = _level and bucket between low and high
      ) w where w.before + w.rows > remainder order by w.bucket limit 1;
    else
      select w.bucket << 8, remainder - w.before into low, remainder from (
        select g.bucket, g.rows, (sum(g.rows) over (order by g.bucket rows unbounded preceding))::bigint - g.rows as before from (
          select u.bucket, sum(u.rows)::bigint as rows from (
            select bucket, rows from public.muster_count_buckets
              where table_name = _table and filter_key = any (_filter_keys) and level = _level and bucket between low and high
            union all
            select bucket >> (_level - 8), rows from public.muster_count_deltas
              where table_name = _table and filter_key = any (_filter_keys) and bucket >> (_level - 8) between low and high
          ) u group by u.bucket
        ) g
      ) w where w.before + w.rows > remainder order by w.bucket limit 1;
    end if;
    high := low + 255;
  end loop;
  start_id := low;
end
$$;

-- The first part of every version (docs/decisions/0026).
-- pg_dump does not dump the content of a materialized view: it refreshes the view as the last step of a restore, after all
-- data, indexes, triggers and grants (also with --jobs). So this value exists only once a restore is complete, and every
-- restore makes a new one. Until then a version cannot be read. "muster doctor --repair" refreshes it too.
create materialized view muster_epoch as select gen_random_uuid()::text as epoch;
-- For "refresh materialized view concurrently", which does not wait for readers.
create unique index muster_epoch_idx on muster_epoch (epoch);

-- The epoch of the primary, written by the primary itself. A standby that has this row has it from that primary, and
-- nothing that another primary wrote, be it older or promoted by mistake.
create table muster_primary_epoch (
  singleton boolean primary key default true check (singleton),
  epoch text not null
);

-- Called every second by the service; writes only after a start of the server, a crash, a restore or a repair.
-- The same text as epochExpression in packages/server/src/postgres/sql/statement.ts.
create function public.muster_record_epoch() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  current constant text := (select epoch from public.muster_epoch)
    || '.' || pg_relation_filepath('public.muster_table_versions')
    || '.' || extract(epoch from pg_postmaster_start_time())::text
    || '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text;
begin
  if current is distinct from (select epoch from public.muster_primary_epoch) then
    insert into public.muster_primary_epoch as recorded (epoch) values (current)
      on conflict (singleton) do update set epoch = excluded.epoch where recorded.epoch <> excluded.epoch;
  end if;
end
$$;

create function public.muster_recorded_epoch() returns text
language sql stable parallel safe
return (select epoch from public.muster_primary_epoch);

-- Which writes a snapshot shows of each table: a hash of the number of changes of each session. A session finishes one write
-- before it begins the next, so equal numbers of equal sessions are the same writes, in whatever order they became visible.
create function public.muster_version_fingerprint(_tables text[]) returns text
language sql stable parallel safe
return (
  select string_agg(coalesce((
    select bit_xor(hashint8extended(changes, session)) from public.muster_table_versions where table_name = wanted.table_name
  ), 0)::text, '.' order by wanted.position)
  from unnest(_tables) with ordinality wanted (table_name, position)
);

select public.muster_track_table(name, states) from (values
  ('departments', array[]::text[]),
  ('candidates', array['status']),
  ('employees', array['status']),
  ('leave_requests', array['status']),
  ('attendance', array['status']),
  ('job_openings', array['status']),
  ('applications', array['stage', 'status']),
  ('organizations', array[]::text[]),
  ('recruitment_brands', array[]::text[]),
  ('career_sites', array[]::text[]),
  ('organization_teams', array[]::text[]),
  ('job_distributions', array['status'])
) tracked (name, states);
