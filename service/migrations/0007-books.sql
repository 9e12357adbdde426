-- The books: how many rows each table has, how often it changed, and where in it the n-th row stands; kept by triggers
-- in the writer's own transaction, so that they are true in every snapshot and for every writer, COPY and psql included.
-- Triggers and upkeep run with the rights of the owner: a role that may only read and add keeps the books all the same,
-- and cannot touch them otherwise.

-- One line per table and database session, so that no two sessions ever wait for each other's line.
-- sum(rows) is the exact number of rows; sum(changes) grows with every statement that changed the table.
create table muster_ledger (
  resource text collate "C" not null,
  session integer not null,
  rows bigint not null,
  changes bigint not null,
  primary key (resource, session)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A line that is always there, so that a reader of versions learns something of tables that never changed.
insert into muster_ledger values ('', 0, 0, 0);

-- Rows gained or lost per block of 256 ids, as they happen. A scope is '' for all rows, or "status=open" for those a
-- filter on a state would find.
create table muster_journal (
  resource text collate "C" not null,
  scope text collate "C" not null,
  block bigint not null,
  rows bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index muster_journal_scope_idx on muster_journal (resource, scope, block);

-- The journal folded together: rows per block of 2^8, 2^16 and 2^24 ids. Journal and blocks together are always exact.
create table muster_blocks (
  resource text collate "C" not null,
  scope text collate "C" not null,
  level smallint not null,
  block bigint not null,
  rows integer not null,
  primary key (resource, scope, level, block)
);

-- How often the folded blocks of a scope changed elsewhere than at their end. While it stays the same, what a reader
-- remembers of the blocks before the last 16 is right; rows that are added at the end do not disturb it.
create table muster_shifts (
  resource text collate "C" not null,
  scope text collate "C" not null,
  shifts bigint not null,
  primary key (resource, scope)
);

create function public.muster_enter(_resource text, _rows bigint) returns void
language plpgsql as $$
begin
  update public.muster_ledger set rows = rows + _rows, changes = changes + 1
    where resource = _resource and session = pg_backend_pid();
  if not found then
    insert into public.muster_ledger values (_resource, pg_backend_pid(), _rows, 1);
  end if;
end
$$;

-- Begins the books of a table; _states are the columns whose values have a scope of their own.
create function public.muster_keep_books(_table text, _states text[]) returns void
language plpgsql as $$
declare
  scopes text := '('''')' || coalesce((select string_agg(format(', (%L || public.muster_key(r.%I))', s || '=', s), '') from unnest(_states) s), '');
  entry text := 'insert into public.muster_journal select %1$L, s.scope, r.id >> 8, %2$s from %3$s '
             || 'cross join lateral (values ' || replace(scopes, '%', '%%') || ') s (scope) group by s.scope, r.id >> 8';
begin
  execute format($f$
    create function public.muster_books_%1$s_insert() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      gained bigint := (select count(*) from added);
    begin
      if gained > 0 then
        perform public.muster_enter(%1$L, gained);
        %2$s;
      end if;
      return null;
    end
    $b$;
    create trigger muster_books_insert after insert on %1$I referencing new table as added
      for each statement execute function public.muster_books_%1$s_insert();
    create function public.muster_books_%1$s_delete() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      lost bigint := (select count(*) from removed);
    begin
      if lost > 0 then
        perform public.muster_enter(%1$L, -lost);
        %3$s;
      end if;
      return null;
    end
    $b$;
    create trigger muster_books_delete after delete on %1$I referencing old table as removed
      for each statement execute function public.muster_books_%1$s_delete();
    create function public.muster_books_%1$s_update() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      if exists (select from added) then
        perform public.muster_enter(%1$L, 0);
        %4$s having sum(r.sign) <> 0;
      end if;
      return null;
    end
    $b$;
    create trigger muster_books_update after update on %1$I referencing old table as removed new table as added
      for each statement execute function public.muster_books_%1$s_update();
    create function public.muster_books_%1$s_truncate() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      -- An older snapshot would not show what other sessions entered before the table was locked.
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'truncate %1$s in a transaction of isolation level read committed'
          using errcode = 'feature_not_supported';
      end if;
      perform public.muster_enter(%1$L, -(select coalesce(sum(rows), 0) from public.muster_ledger where resource = %1$L)::bigint);
      delete from public.muster_journal where resource = %1$L;
      perform public.muster_clear_blocks(%1$L);
      return null;
    end
    $b$;
    create trigger muster_books_truncate after truncate on %1$I
      for each statement execute function public.muster_books_%1$s_truncate();
    $f$,
    _table,
    format(entry, _table, 'count(*)', 'added r'),
    format(entry, _table, '-count(*)', 'removed r'),
    format(entry, _table, 'sum(r.sign)', '(select 1 as sign, * from added union all select -1, * from removed) r')
  );
  perform public.muster_rebuild_books(_table, _states);
end
$$;

create function public.muster_clear_blocks(_resource text) returns void
language plpgsql as $$
begin
  insert into public.muster_shifts as s select distinct _resource, scope, 1 from public.muster_blocks where resource = _resource
    on conflict (resource, scope) do update set shifts = s.shifts + 1;
  delete from public.muster_blocks where resource = _resource;
end
$$;

-- Counts a table anew and returns how far its books were off: 0 unless somebody wrote with triggers turned off.
create function public.muster_rebuild_books(_table text, _states text[]) returns bigint
language plpgsql as $$
declare
  scopes text := '('''')' || coalesce((select string_agg(format(', (%L || public.muster_key(r.%I))', s || '=', s), '') from unnest(_states) s), '');
  off_by bigint;
  counted bigint;
begin
  -- Not beside the upkeep, whose folding would not know of this one's.
  perform pg_advisory_xact_lock(7264013, 1);
  execute format('lock table public.%I in share row exclusive mode', _table);
  perform public.muster_fold_books(_table);
  create temporary table muster_counted on commit drop as select * from public.muster_blocks with no data;
  execute format(
    'insert into muster_counted select %1$L, s.scope, l.level, r.id >> l.level, count(*) from public.%1$I r '
    'cross join lateral (values ' || replace(scopes, '%', '%%') || ') s (scope) cross join (values (8), (16), (24)) l (level) '
    'group by s.scope, l.level, r.id >> l.level', _table);
  select coalesce(sum(abs(coalesce(c.rows, 0) - coalesce(b.rows, 0))), 0) into off_by
    from (select * from muster_counted) c
    full join (select * from public.muster_blocks where resource = _table) b using (scope, level, block);
  select coalesce(sum(rows), 0) into counted from muster_counted where scope = '' and level = 24;
  off_by := off_by + abs(counted - (select coalesce(sum(rows), 0) from public.muster_ledger where resource = _table));
  if off_by > 0 then
    perform public.muster_clear_blocks(_table);
    insert into public.muster_blocks select * from muster_counted;
    perform public.muster_enter(_table, counted - (select coalesce(sum(rows), 0) from public.muster_ledger where resource = _table)::bigint);
  end if;
  drop table muster_counted;
  return off_by;
end
$$;

-- Folds the journal of a table into its blocks; returns the journal entries folded. What is folded and what is not yet
-- are read together, so a reader sees no difference.
create function public.muster_fold_books(_resource text) returns bigint
language plpgsql as $$
declare
  folded bigint;
begin
  with taken as (
    delete from public.muster_journal where resource = _resource returning scope, block, rows
  ), summed as (
    select scope, l.level, block >> (l.level - 8) as block, sum(rows) as rows
    from taken cross join (values (8), (16), (24)) l (level) group by 1, 2, 3 having sum(rows) <> 0
  ), entered as (
    insert into public.muster_blocks as b select _resource, scope, level, block, rows from summed
    on conflict (resource, scope, level, block) do update set rows = b.rows + excluded.rows
  ), shifted as (
    insert into public.muster_shifts as s
      select _resource, t.scope, 1 from taken t group by t.scope
      having min(t.block) < (
        select max(b.block) - 16 from public.muster_blocks b
        where b.resource = _resource and b.scope = t.scope and b.level = 8)
    on conflict (resource, scope) do update set shifts = s.shifts + 1
  )
  select count(*) into folded from taken;
  return folded;
end
$$;

-- The upkeep, called time and again by the service: folds journals, and adds up the ledger lines of sessions that ended.
-- Does nothing where another session is at it.
create function public.muster_upkeep() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  if not pg_try_advisory_xact_lock(7264013, 1) then
    return;
  end if;
  for name in select distinct resource from public.muster_journal loop
    perform public.muster_fold_books(name);
  end loop;
  with ended as (
    delete from public.muster_ledger l
    where session <> 0 and not exists (select from pg_stat_activity a where a.pid = l.session)
    returning resource, rows, changes
  )
  insert into public.muster_ledger as l
    select resource, 0, sum(rows), sum(changes) from ended group by resource
    on conflict (resource, session) do update set rows = l.rows + excluded.rows, changes = l.changes + excluded.changes;
end
$$;

-- Where the row stands that _skip others of the same scopes precede: the first id of its block of 256, and how many of
-- these rows precede it from there. Null past the end. Reads three short runs of blocks, whatever the size of the table.
create function public.muster_seek(_resource text, _scopes text[], _skip bigint, out start_id bigint, out remainder bigint)
-- Planned once: its plans do not depend on what is asked, and planning would take longer than running.
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  low bigint;
begin
  remainder := _skip;
  select w.block << 8, remainder - w.before into low, remainder from (
    select g.block, g.rows, (sum(g.rows) over (order by g.block))::bigint - g.rows as before from (
      select u.block, sum(u.rows)::bigint as rows from (
        select block, rows from public.muster_blocks where resource = _resource and scope = any (_scopes) and level = 24
        union all
        select block >> 16, rows from public.muster_journal where resource = _resource and scope = any (_scopes)
      ) u group by u.block
    ) g
  ) w where w.before + w.rows > remainder order by w.block limit 1;
  select w.block << 8, remainder - w.before into low, remainder from (
    select g.block, g.rows, (sum(g.rows) over (order by g.block))::bigint - g.rows as before from (
      select u.block, sum(u.rows)::bigint as rows from (
        select block, rows from public.muster_blocks
          where resource = _resource and scope = any (_scopes) and level = 16 and block between low and low + 255
        union all
        select block >> 8, rows from public.muster_journal
          where resource = _resource and scope = any (_scopes) and block between low << 8 and (low << 8) + 65535
      ) u group by u.block
    ) g
  ) w where w.before + w.rows > remainder order by w.block limit 1;
  select w.block << 8, remainder - w.before into start_id, remainder from (
    select g.block, g.rows, (sum(g.rows) over (order by g.block))::bigint - g.rows as before from (
      select u.block, sum(u.rows)::bigint as rows from (
        select block, rows from public.muster_blocks
          where resource = _resource and scope = any (_scopes) and level = 8 and block between low and low + 255
        union all
        select block, rows from public.muster_journal
          where resource = _resource and scope = any (_scopes) and block between low and low + 255
      ) u group by u.block
    ) g
  ) w where w.before + w.rows > remainder order by w.block limit 1;
end
$$;

-- How many rows are in the scopes.
create function public.muster_count(_resource text, _scopes text[]) returns bigint
language sql stable parallel safe
return (
  select coalesce(sum(rows), 0)::bigint from (
    select rows from public.muster_blocks where resource = _resource and scope = any (_scopes) and level = 24
    union all
    select rows from public.muster_journal where resource = _resource and scope = any (_scopes)
  ) counted
);

select public.muster_keep_books(name, states) from (values
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
