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

comment on table muster_table_versions is 'Rows and changes of each table, one row per session; sum(changes) is part of the version in an ETag';

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
comment on table muster_count_deltas is 'Rows added or removed per bucket of 256 ids, not yet in muster_count_buckets';

-- The compacted deltas, as rows per bucket of 2^16 and 2^24 ids (level 16 and 24). A count is the sum of buckets and deltas.
-- Each bucket is divided into 256 parts, of 2^8 or 2^16 ids. Their row counts are arrays, so a row is found by one binary
-- search per level instead of adding up to 256 rows (docs/decisions/0008). The arrays leave out parts without rows, because
-- a table may have many filter keys with few rows each.
create table muster_count_buckets (
  table_name text collate "C" not null,
  filter_key text collate "C" not null,
  level smallint not null,
  bucket bigint not null,
  rows integer not null,
  -- The parts that have rows, in order, numbered 0 to 255.
  parts smallint[] not null default '{}',
  -- How many rows of the bucket precede each of the parts.
  rows_before integer[] not null default '{}',
  primary key (table_name, filter_key, level, bucket)
) with (fillfactor = 50);
comment on table muster_count_buckets is 'Rows per bucket of 2^level ids, for all rows and for each value of a counted column';
comment on column muster_count_buckets.parts is 'The parts that have rows, in order, numbered 0 to 255';
comment on column muster_count_buckets.rows_before is 'How many rows of the bucket precede each of the parts';

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

create function public.muster_count_parts(_parts smallint[], _rows_before integer[], _rows integer)
returns table (part smallint, rows integer)
language sql immutable parallel safe
begin atomic
  select p.part, p.rows_after - p.rows_before
  from unnest(_parts, _rows_before, _rows_before[2:] || _rows) p (part, rows_before, rows_after);
end;
comment on function public.muster_count_parts(smallint[], integer[], integer) is 'The row counts of the parts of a bucket';

-- Moves the deltas of a table into its buckets and returns their number. Buckets and deltas are always read together, so
-- readers see no difference.
create function public.muster_compact_counts(_table text) returns bigint
language plpgsql as $$
declare
  compacted bigint;
begin
  with taken as (
    delete from public.muster_count_deltas where table_name = _table returning filter_key, bucket, rows
  ), changed as (
    select filter_key, l.level, bucket >> (l.level - 8) as bucket, (bucket >> (l.level - 16) & 255)::smallint as part, sum(rows) as rows
    from taken cross join (values (16), (24)) l (level) group by 1, 2, 3, 4 having sum(rows) <> 0
  ), changed_buckets as (
    select distinct filter_key, level, bucket from changed
  ), counted as (
    select filter_key, level, bucket, part, sum(rows)::integer as rows from (
      select * from changed
      union all
      select b.filter_key, b.level, b.bucket, p.part, p.rows
      from changed_buckets c
      join public.muster_count_buckets b on b.table_name = _table and b.filter_key = c.filter_key and b.level = c.level and b.bucket = c.bucket
      cross join lateral public.muster_count_parts(b.parts, b.rows_before, b.rows) p
    ) counts group by 1, 2, 3, 4 having sum(rows) <> 0
  ), summed as (
    select filter_key, level, bucket, sum(rows)::integer as rows, array_agg(part order by part) as parts, array_agg(rows_before order by part) as rows_before
    from (
      select *, (sum(rows) over (partition by filter_key, level, bucket order by part) - rows)::integer as rows_before from counted
    ) parts group by 1, 2, 3
  ), emptied as (
    delete from public.muster_count_buckets b using changed_buckets c
    where b.table_name = _table and b.filter_key = c.filter_key and b.level = c.level and b.bucket = c.bucket
      and not exists (select from summed s where s.filter_key = c.filter_key and s.level = c.level and s.bucket = c.bucket)
  ), stored as (
    insert into public.muster_count_buckets as b (table_name, filter_key, level, bucket, rows, parts, rows_before)
    select _table, filter_key, level, bucket, rows, parts, rows_before from summed order by filter_key, level, bucket
    on conflict (table_name, filter_key, level, bucket)
      do update set rows = excluded.rows, parts = excluded.parts, rows_before = excluded.rows_before
  )
  select count(*) into compacted from taken;
  return compacted;
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
  create temporary table muster_counted (filter_key text collate "C", bucket bigint, rows bigint) on commit drop;
  execute format(
    'insert into muster_counted select k.filter_key, r.id >> 8, count(*) from public.%1$I r '
    'cross join lateral (values ' || replace(public.muster_filter_keys(_states), '%', '%%') || ') k (filter_key) '
    'group by k.filter_key, r.id >> 8', _table);
  select coalesce(sum(abs(coalesce(c.rows, 0) - coalesce(s.rows, 0))), 0) into off_by
    from (
      select filter_key, l.level, bucket >> (l.level - 8) as bucket, (bucket >> (l.level - 16) & 255)::smallint as part, sum(rows) as rows
      from muster_counted cross join (values (16), (24)) l (level) group by 1, 2, 3, 4
    ) c full join (
      select b.filter_key, b.level, b.bucket, p.part, p.rows from public.muster_count_buckets b
      cross join lateral public.muster_count_parts(b.parts, b.rows_before, b.rows) p where b.table_name = _table
    ) s using (filter_key, level, bucket, part);
  select coalesce(sum(rows), 0) into counted from muster_counted where filter_key = '';
  off_by := off_by + abs(counted - (select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = _table));
  if off_by > 0 then
    delete from public.muster_count_buckets where table_name = _table;
    insert into public.muster_count_deltas select _table, filter_key, bucket, rows from muster_counted;
    perform public.muster_compact_counts(_table);
    perform public.muster_update_table_version(_table, counted - (select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = _table)::bigint);
  end if;
  drop table muster_counted;
  return off_by;
end
$$;
comment on function public.muster_rebuild_counts(text, text[]) is 'Counts a table again, with writes locked out; returns how far its counts were off';

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
comment on function public.muster_maintain() is 'Compacts row counts and merges the versions of ended sessions; the service calls it every second';

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

-- Finds the row at offset _skip among the rows with one of the filter keys: the first id of its bucket of 256 ids, and how
-- many of these rows precede it in that bucket. Null past the end.
create function public.muster_seek_row(_table text, _filter_keys text[], _skip bigint, out start_id bigint, out remainder bigint)
-- The plans do not depend on the arguments, and planning would take longer than running.
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  _level smallint;
  low bigint := -4611686018427387904;
  high bigint := 4611686018427387903;
begin
  remainder := _skip;
  foreach _level in array array[24, 16, 8] loop
    select w.bucket << 8, remainder - w.before into low, remainder from (
      select g.bucket, g.rows, sum(g.rows) over (order by g.bucket rows unbounded preceding) - g.rows as before from (
        select u.bucket, sum(u.rows)::integer as rows from (
          select bucket, rows from public.muster_count_buckets
            where table_name = _table and filter_key = any (_filter_keys) and level = _level and bucket between low and high
          union all
          select (b.bucket << 8) + p.part, p.rows from public.muster_count_buckets b cross join lateral public.muster_count_parts(b.parts, b.rows_before, b.rows) p
            where _level = 8 and b.table_name = _table and b.filter_key = any (_filter_keys) and b.level = 16 and b.bucket = low >> 8
          union all
          select bucket >> (_level - 8), rows::integer from public.muster_count_deltas
            where table_name = _table and filter_key = any (_filter_keys) and bucket >> (_level - 8) between low and high
        ) u group by u.bucket
      ) g
    ) w where w.before + w.rows > remainder order by w.bucket limit 1;
    high := low + 255;
  end loop;
  start_id := low;
end
$$;

-- The same as muster_seek_row for one filter key, about five times as fast if there are no deltas of it. In SQL, so that
-- PostgreSQL makes it a part of the statement that calls it.
create function public.muster_find_row(_table text, _filter_key text, _skip bigint) returns table (start_id bigint, remainder bigint)
language sql stable parallel safe
begin atomic
  select ((bucket_16.bucket << 8) + bucket_16.parts[found_16.index]) << 8, (found_24.remainder - bucket_16.rows_before[found_16.index])::bigint
  from (
    select w.bucket, w.parts, w.rows_before, (_skip - w.before)::integer as remainder from (
      select b.*, sum(b.rows) over (order by b.bucket rows unbounded preceding) - b.rows as before
      from public.muster_count_buckets b where b.table_name = _table and b.filter_key = _filter_key and b.level = 24
    ) w where w.before + w.rows > _skip order by w.bucket limit 1
  ) bucket_24
  cross join lateral (select width_bucket(bucket_24.remainder, bucket_24.rows_before) as index) search_24
  cross join lateral (
    select (bucket_24.bucket << 8) + bucket_24.parts[search_24.index] as bucket,
      bucket_24.remainder - bucket_24.rows_before[search_24.index] as remainder
  ) found_24
  join public.muster_count_buckets bucket_16
    on bucket_16.table_name = _table and bucket_16.filter_key = _filter_key and bucket_16.level = 16 and bucket_16.bucket = found_24.bucket
  cross join lateral (select width_bucket(found_24.remainder, bucket_16.rows_before) as index) found_16
  where not exists (select from public.muster_count_deltas d where d.table_name = _table and d.filter_key = _filter_key)
  union all
  select s.start_id, s.remainder from public.muster_seek_row(_table, array[_filter_key], _skip) s
  where exists (select from public.muster_count_deltas d where d.table_name = _table and d.filter_key = _filter_key);
end;
comment on function public.muster_find_row(text, text, bigint) is 'Finds the bucket of 256 ids that contains the row at an offset';

-- The first part of every version (docs/decisions/0026).
-- pg_dump does not dump the content of a materialized view: it refreshes the view as the last step of a restore, after all
-- data, indexes, triggers and grants (also with --jobs). So this value exists only once a restore is complete, and every
-- restore makes a new one. Until then a version cannot be read. "muster doctor --repair" refreshes it too.
create materialized view muster_epoch as select gen_random_uuid()::text as epoch;

-- For "refresh materialized view concurrently", which does not wait for readers.
create unique index muster_epoch_idx on muster_epoch (epoch);
comment on materialized view muster_epoch is 'First part of every version: a new value after each restore and each "muster doctor --repair"';

-- The epoch of the primary, written by the primary itself. A standby that has this row has it from that primary, and
-- nothing that another primary wrote, be it older or promoted by mistake.
create table muster_primary_epoch (
  singleton boolean primary key default true check (singleton),
  epoch text not null
);
comment on table muster_primary_epoch is 'The epoch as the primary wrote it, for its standbys';

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

revoke execute on function public.muster_maintain() from public;
