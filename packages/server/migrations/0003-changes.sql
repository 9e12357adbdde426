-- The change feed: which records were created, updated, deleted and erased. Written by the triggers that keep the row
-- counts, in the writer's own transaction (docs/decisions/0033).

-- One row per statement, or several if a statement changed more than 10,000 records. Readers see rows in the order of
-- (xid, seq), and only rows whose xid is less than that of every open transaction: no row can then appear before one
-- that was already read. With "order by seq" alone, readers would skip the rows of a transaction that commits late.
create table muster_changes (
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  table_name text collate "C" not null,
  kind text collate "C" not null,
  ids int8multirange not null,
  primary key (xid, seq)
);

-- For the parameter since. Rows are appended, so each block range has a narrow period; an insert writes to the index only
-- if its block range has been summarized already.
create index muster_changes_at on muster_changes using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on table muster_changes is 'Created, updated, deleted and erased records, one row per statement; read in the order of (xid, seq)';

-- The position of the last change that was deleted because of its age. A cursor before it is no longer valid.
create table muster_last_pruned_change (
  singleton boolean primary key default true check (singleton),
  xid xid8 not null,
  seq bigint not null,
  id bigint not null
);
insert into muster_last_pruned_change (xid, seq, id) values ('0', 0, 0);
comment on table muster_last_pruned_change is 'Position of the last change that was deleted because of its age';

-- The starts of the server, in order, since the last restore. After a recovery, replayed_to is the end of the recovered
-- write-ahead log: changes that a client read beyond it are lost, so its cursor is invalid.
create table muster_server_starts (
  position bigint generated always as identity primary key,
  id text collate "C" not null default left(md5(gen_random_uuid()::text), 16),
  timeline text collate "C" not null,
  replayed_to pg_lsn
);
comment on table muster_server_starts is 'Starts of the server since the last restore; decides which cursors of the change feed are valid';

-- Adds the rows for a range of ids.
create function public.muster_add_changes(_table text, _kind text, _first bigint, _last bigint) returns void
language sql as $$
  insert into public.muster_changes (table_name, kind, ids)
    select _table, _kind, int8multirange(int8range(first, least(first + 9999, _last), '[]'))
    from generate_series(_first, _last, 10000) first
$$;
comment on function public.muster_add_changes(text, text, bigint, bigint) is 'Writes the changes of consecutive ids';

-- Creates the triggers of a table, which keep its row counts and write its changes; _states are the columns whose values
-- have a filter key each.
--
-- An insert of a single row, which is what a create does, takes one statement without grouping. The ids of inserted rows
-- are usually consecutive: then they are not sorted and need no range_agg, which takes 0.8 s for a million ids.
--
-- The insert function has no fixed search_path: PostgreSQL plans the expressions of muster_key again whenever search_path
-- differs from the last call (once in the trigger, once for the indexes), which cost 24 % more CPU time per create.
-- Instead, the part for one row schema-qualifies every function, type and operator, and the part for several rows sets
-- search_path.
--
-- An update that leaves the record unchanged is not written as a change. Every record that "muster erase" empties is
-- written, as erased.
--
-- The triggers are enabled "always", so that they also fire under session_replication_role = replica, and so that
-- disabling one is detected: "enable trigger" (which pg_restore --disable-triggers runs) sets it to "origin", which the
-- health check reports.
create function public.muster_create_triggers(_table text, _states text[]) returns void
language plpgsql as $$
declare
  filter_keys text := public.muster_filter_keys(_states);
  deltas text := 'insert into public.muster_count_deltas select %1$L, k.filter_key, r.id >> 8, %2$s from %3$s '
              || 'cross join lateral (values ' || replace(filter_keys, '%', '%%') || ') k (filter_key) group by k.filter_key, r.id >> 8';
  -- Needs a source with the columns kind and id.
  changes text := 'insert into public.muster_changes (table_name, kind, ids) select %1$L, p.kind, '
               || 'case when p.last - p.first = cardinality(p.ids) - 1 then int8multirange(int8range(p.first, p.last, ''[]'')) '
               || 'else (select range_agg(int8range(id, id, ''[]'')) from unnest(p.ids) id) end '
               || 'from (select n.kind, array_agg(n.id) as ids, min(n.id) as first, max(n.id) as last from ('
               || 'select c.kind, c.id, (row_number() over (partition by c.kind order by c.id) - 1) / 10000 as part from %2$s c'
               || ') n group by n.kind, n.part) p order by p.kind, p.first';
  -- Without a stored text of the record the rows are compared, byte by byte.
  updated text := case when exists (
      select from pg_attribute where attrelid = format('public.%I', _table)::regclass and attname = 'record_json' and not attisdropped
    ) then '(select id, record_json from added) a full join (select id, record_json from removed) r using (id) '
      'where erases or a.record_json is distinct from r.record_json'
    else '(select id, added as stored from added) a full join (select id, removed as stored from removed) r using (id) '
      'where erases or (a.stored *<> r.stored) is not false' end;
begin
  execute format($f$
    create or replace function public.muster_counts_%1$s_insert() returns trigger
    language plpgsql security definer as $b$
    declare
      inserted bigint;
      first bigint;
      last bigint;
      search_path_before pg_catalog.text;
    begin
      select pg_catalog.count(*), pg_catalog.min(id), pg_catalog.max(id) into inserted, first, last from added;
      if inserted operator(pg_catalog.=) 1 then
        with delta as (
          insert into public.muster_count_deltas
            select %1$L, k.filter_key, r.id operator(pg_catalog.>>) 8, 1
            from added r cross join lateral (values %2$s) k (filter_key)
        ), change as (
          insert into public.muster_changes (table_name, kind, ids)
            values (%1$L, 'created', pg_catalog.int8multirange(pg_catalog.int8range(first, first, '[]')))
        )
        update public.muster_table_versions
          set rows = rows operator(pg_catalog.+) 1, changes = changes operator(pg_catalog.+) 1
          where table_name operator(pg_catalog.=) %1$L and session operator(pg_catalog.=) pg_catalog.pg_backend_pid();
        if not found then
          insert into public.muster_table_versions values (%1$L, pg_catalog.pg_backend_pid(), 1, 1);
        end if;
      elsif inserted operator(pg_catalog.>) 1 then
        search_path_before := pg_catalog.current_setting('search_path');
        perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
        perform public.muster_update_table_version(%1$L, inserted);
        %3$s;
        if last - first = inserted - 1 then
          perform public.muster_add_changes(%1$L, 'created', first, last);
        else
          %6$s;
        end if;
        perform set_config('search_path', search_path_before, true);
      end if;
      return null;
    end
    $b$;
    create or replace trigger muster_counts_insert after insert on public.%1$I referencing new table as added
      for each statement execute function public.muster_counts_%1$s_insert();
    create or replace function public.muster_counts_%1$s_delete() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      deleted bigint := (select count(*) from removed);
    begin
      if deleted > 0 then
        perform public.muster_update_table_version(%1$L, -deleted);
        %4$s;
        %7$s;
      end if;
      return null;
    end
    $b$;
    create or replace trigger muster_counts_delete after delete on public.%1$I referencing old table as removed
      for each statement execute function public.muster_counts_%1$s_delete();
    create or replace function public.muster_counts_%1$s_update() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      erases constant boolean := current_setting('muster.erases', true) is not distinct from 'on';
    begin
      if exists (select from added) then
        perform public.muster_update_table_version(%1$L, 0);
        %5$s having sum(r.sign) <> 0;
        %8$s;
      end if;
      return null;
    end
    $b$;
    create or replace trigger muster_counts_update after update on public.%1$I referencing old table as removed new table as added
      for each statement execute function public.muster_counts_%1$s_update();
    create or replace function public.muster_counts_%1$s_truncate() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      -- An older snapshot would not show what other sessions wrote before the table was locked.
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'truncate %1$s in a transaction of isolation level read committed'
          using errcode = 'feature_not_supported';
      end if;
      %9$s;
      perform public.muster_update_table_version(%1$L, -(select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = %1$L)::bigint);
      delete from public.muster_count_deltas where table_name = %1$L;
      delete from public.muster_count_buckets where table_name = %1$L;
      return null;
    end
    $b$;
    create or replace trigger muster_counts_truncate before truncate on public.%1$I
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
    format(deltas, _table, 'sum(r.sign)', '(select 1 as sign, * from added union all select -1, * from removed) r'),
    format(changes, _table, '(select ''created'' as kind, id from added)'),
    format(changes, _table, '(select ''deleted'' as kind, id from removed)'),
    format(changes, _table, '(select case when a.id is null then ''deleted'' when r.id is null then ''created'' when erases then ''erased'' '
      || 'else ''updated'' end as kind, coalesce(a.id, r.id) as id from ' || updated || ')'),
    format(changes, _table, format('(select ''deleted'' as kind, id from public.%I)', _table))
  );
end
$$;
comment on function public.muster_create_triggers(text, text[]) is 'Creates the triggers that keep the row counts of a table and write its changes';

-- Creates the triggers of a table and counts its rows.
create function public.muster_track_table(_table text, _states text[]) returns void
language plpgsql as $$
begin
  perform public.muster_create_triggers(_table, _states);
  perform public.muster_rebuild_counts(_table, _states);
end
$$;
comment on function public.muster_track_table(text, text[]) is 'Creates the triggers of a table and counts its rows; the array names the columns whose values are counted';

-- Called every second by the service. Writes only after a start of the server, a crash, a restore or a repair: the epoch
-- for the standbys, and the start for the cursors of the change feed.
-- The same text as epochExpression in packages/server/src/postgres/sql/statement.ts.
create function public.muster_record_epoch() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  current constant text := (select epoch from public.muster_epoch)
    || '.' || pg_relation_filepath('public.muster_table_versions')
    || '.' || extract(epoch from pg_postmaster_start_time())::text
    || '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text;
  timeline constant text := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
  recorded text;
  last_start public.muster_server_starts;
begin
  if current is not distinct from (select epoch from public.muster_primary_epoch)
    and exists (select from public.muster_server_starts) then
    return;
  end if;
  perform pg_advisory_xact_lock(7264013, 2);
  recorded := (select epoch from public.muster_primary_epoch);
  select * into last_start from public.muster_server_starts order by position desc limit 1;
  if current is not distinct from recorded and last_start.id is not null then
    return;
  end if;
  -- New after a restore, or in a copy of the database: the changes in the table are those of another history. The second
  -- part of the epoch is a file path. Only its folder counts, because VACUUM FULL also makes a new file.
  if split_part(current, '.', 1) is distinct from split_part(recorded, '.', 1)
    or regexp_replace(split_part(current, '.', 2), '[^/]*$', '') is distinct from
      regexp_replace(split_part(recorded, '.', 2), '[^/]*$', '') then
    delete from public.muster_changes;
    delete from public.muster_server_starts;
    update public.muster_last_pruned_change set xid = '0', seq = 0, id = 0;
    insert into public.muster_server_starts (timeline) values (timeline);
  else
    -- Null after a regular shutdown, which loses nothing, and if that recovery has been recorded. If the server was
    -- promoted, and shut down before this function ran, the end of the recovered log is not known, and no cursor is valid.
    insert into public.muster_server_starts (timeline, replayed_to) values (timeline,
      case when not exists (select from public.muster_server_starts where replayed_to = pg_last_wal_replay_lsn())
        then coalesce(pg_last_wal_replay_lsn(), case when last_start.timeline <> timeline then '0/0'::pg_lsn end) end);
  end if;
  insert into public.muster_primary_epoch as stored (epoch) values (current)
    on conflict (singleton) do update set epoch = excluded.epoch where stored.epoch <> excluded.epoch;
end
$$;
comment on function public.muster_record_epoch() is 'Writes the epoch for standbys and the start for the change feed; the service calls it every second';

-- Called every second by the service: deletes changes older than _days, the oldest first and a bounded number at a time.
create function public.muster_prune_changes(_days integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  oldest_kept constant timestamptz := now() - make_interval(days => greatest(_days, 1));
begin
  if (select at from public.muster_changes order by xid, seq limit 1) < oldest_kept is not true
    or not pg_try_advisory_xact_lock(7264013, 3) then
    return;
  end if;
  with candidates as (
    select xid, seq, bool_and(at < oldest_kept) over (order by xid, seq) as is_expired from (
      select xid, seq, at from public.muster_changes
      where xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, seq limit 5000
    ) oldest
  ), deleted as (
    delete from public.muster_changes c using candidates l
    where l.is_expired and c.xid = l.xid and c.seq = l.seq
    returning c.xid, c.seq, upper(c.ids) - 1 as id
  )
  update public.muster_last_pruned_change p set xid = d.xid, seq = d.seq, id = d.id
    from (select * from deleted order by xid desc, seq desc limit 1) d;
end
$$;
comment on function public.muster_prune_changes(integer) is 'Deletes changes older than the given number of days; the service calls it every second';

-- The end of the change feed in the snapshot of the calling statement: readers see the changes of transactions with a
-- smaller id, and no later snapshot shows further ones. It is the smallest id of a transaction that is open in the snapshot,
-- except those that are known to belong to another database, which cannot write to this feed.
--
-- pg_stat_activity must be read after the snapshot was taken. That is the case if the statement is a transaction of its own,
-- and in a transaction of isolation level repeatable read. It is read only if there are changes that it may show.
--
-- In PL/pgSQL, which prepares the second query only if it runs: as a part of the statements it took 0.4 ms of every page.
create function public.muster_change_horizon() returns xid8
language plpgsql stable parallel restricted set search_path = pg_catalog, pg_temp as $$
declare
  snapshot constant pg_snapshot := pg_current_snapshot();
begin
  if not exists (select from public.muster_changes where xid >= pg_snapshot_xmin(snapshot)) then
    return pg_snapshot_xmin(snapshot);
  end if;
  return (
    select coalesce(min(running.xid), pg_snapshot_xmax(snapshot)) from (
      select pg_snapshot_xmin(snapshot) union all select pg_snapshot_xip(snapshot) union all select pg_current_xact_id_if_assigned()
    ) running (xid)
    where not exists (
      select from (
        select backend_xid as xid, datname as database from pg_stat_activity
        union all select transaction, database from pg_prepared_xacts
      ) other where other.xid = running.xid::xid and other.database <> current_database()
    )
  );
end
$$;
comment on function public.muster_change_horizon() is 'The transaction id up to which the change feed is shown; only open transactions of this database hold it back';

-- Functions that run with the owner's rights are for the roles they are granted to ("muster migrate" grants them). Trigger
-- functions cannot be called.
revoke execute on function public.muster_record_epoch(), public.muster_prune_changes(integer) from public;
