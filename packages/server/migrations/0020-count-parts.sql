-- expands
-- Pages at a large offset cost about as much as first pages (docs/decisions/0008). A bucket is divided into 256 parts, and
-- contains their row counts as arrays, so a row is found by one binary search per level instead of adding up to 256 rows.

-- First, as in muster_maintain, which would otherwise wait for the table while this migration waits for its lock.
select pg_advisory_xact_lock(7264013, 1);

-- Buckets of 2^16 ids (level 16) have parts of 2^8 ids, and buckets of 2^24 ids (level 24) have parts of 2^16 ids. The arrays
-- leave out parts without rows, because a table may have many filter keys with few rows each.
alter table muster_count_buckets
  add column parts smallint[] not null default '{}',
  add column rows_before integer[] not null default '{}',
  set (fillfactor = 50);
comment on column muster_count_buckets.parts is 'The parts that have rows, in order, numbered 0 to 255';
comment on column muster_count_buckets.rows_before is 'How many rows of the bucket precede each of the parts';

create function public.muster_count_parts(_parts smallint[], _rows_before integer[], _rows integer)
returns table (part smallint, rows integer)
language sql immutable parallel safe
begin atomic
  select p.part, p.rows_after - p.rows_before
  from unnest(_parts, _rows_before, _rows_before[2:] || _rows) p (part, rows_before, rows_after);
end;
comment on function public.muster_count_parts(smallint[], integer[], integer) is 'The row counts of the parts of a bucket';

create or replace function public.muster_compact_counts(_table text) returns bigint
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

create or replace function public.muster_rebuild_counts(_table text, _states text[]) returns bigint
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

-- Finds the row at offset _skip among the rows with one of the filter keys: the first id of its bucket of 256 ids, and how
-- many of these rows precede it in that bucket. Null past the end.
create or replace function public.muster_seek_row(_table text, _filter_keys text[], _skip bigint, out start_id bigint, out remainder bigint)
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

-- Moves the counts of the old buckets of 2^8 ids into the arrays.
insert into muster_count_deltas select table_name, filter_key, bucket, rows from muster_count_buckets where level = 8;
delete from muster_count_buckets;
select muster_compact_counts(table_name) from (select distinct table_name from muster_count_deltas) changed;
