-- expands
-- The history of tracked fields: the function that creates its triggers, and from which day on it is complete
-- (docs/decisions/0056). The next migration creates the table "history" and calls the function.

-- Changes before this day were not recorded. Values at the end of this day and of later days are known.
create table muster_history_from (
  resource text collate "C" primary key,
  day date not null
);
comment on table muster_history_from is 'From which day on the history of each resource is complete';

-- Creates the triggers that write the history of a table. _days has, for each of _fields, the column of the day on which
-- its value began, or null. Creates fire none of them.
--
-- The day of a change is never before the last recorded change of that field of that record, and never after today in UTC.
-- So the changes of a field are in order, and each value holds until the day of the next one. Without a column of _days it is
-- the setting muster.effective_on, or else the day of the transaction. If only a column of _days changes, the last change of
-- its field moves to the new day; null says nothing about the day, so nothing moves.
--
-- Rows before and after an update are paired by a full join: PostgreSQL keeps the plan of the first update of a session,
-- and an inner join planned for one row would be a nested loop over all rows of a later statement. A condition that null
-- cannot satisfy would make the full join an inner one, so such conditions are outside of a materialized query. For the same
-- reason, sequential scans of the history are off: the plan may be from when it was empty.
--
-- The triggers are enabled "always" (0003-changes.sql). They run with the owner's rights, so that no other role needs to
-- write the history.
create function public.muster_track_history(_table text, _resource text, _fields text[], _days text[]) returns void
language plpgsql as $$
declare
  -- Of the rows "a" after and "r" before the update.
  changed text;
  moved text;
  columns text;
  -- One row per tracked field of the row "u" of both.
  entries text;
  moves text;
begin
  select string_agg(format('a.%1$I is distinct from r.%1$I', field), ' or ' order by n),
    string_agg(format('a.%1$I is distinct from r.%1$I', day), ' or ' order by n) filter (where day is not null),
    string_agg(
      format('a.%1$I as new_%2$s, r.%1$I as old_%2$s', field, n)
        || case when day is null then '' else format(', a.%1$I as new_day_%2$s, r.%1$I as old_day_%2$s', day, n) end,
      ', ' order by n),
    string_agg(
      format('(%1$s, %2$L, u.old_%1$s::text, u.new_%1$s::text, ', n, field)
        || case when day is null then 'effective, null::date)' else format('coalesce(u.new_day_%1$s, today), u.old_day_%1$s)', n) end,
      ', ' order by n),
    string_agg(
      format('(%2$L, u.new_day_%1$s, u.old_%1$s is not distinct from u.new_%1$s and u.old_day_%1$s is distinct from u.new_day_%1$s)', n, field),
      ', ' order by n) filter (where day is not null)
  into changed, moved, columns, entries, moves
  from unnest(_fields, _days) with ordinality tracked (field, day, n);
  execute format($f$
    create or replace function public.muster_history_%1$s_update() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $b$
    declare
      today constant date := (now() at time zone 'utc')::date;
      effective constant date := coalesce(nullif(current_setting('muster.effective_on', true), '')::date, today);
      recorded_at constant timestamptz := clock_timestamp();
      has_changes boolean;
      has_moves boolean;
      has_new_ids boolean;
    begin
      select bool_or(%3$s), bool_or(%4$s), bool_or(a.id is null) into has_changes, has_moves, has_new_ids
        from added a full join removed r using (id) where %3$s or %4$s or a.id is null;
      if has_changes then
        with updated as materialized (
          select a.id, r.id as old_id, %5$s from added a full join removed r using (id) where %3$s
        )
        insert into public.history (resource, record_id, field, old, new, "on", since, at)
          select %2$L, c.id, c.field, c.old, c.new, greatest(least(c.day, today), c.last_day), c.since, recorded_at
          from (
            select u.id, e.*, (
              select max(h."on") from public.history h
              where h.resource = %2$L and h.record_id = u.id and h.field = e.field
            ) as last_day
            from updated u cross join lateral (values %6$s) e (n, field, old, new, day, since)
            where u.id = u.old_id and e.old is distinct from e.new
          ) c order by c.id, c.n;
      end if;
      %7$s
      if has_new_ids then
        delete from public.history h where h.record_id = any (
          array(select r.id from removed r full join added a using (id) where a.id is null)
        ) and h.resource = %2$L;
      end if;
      return null;
    end
    $b$;
    create or replace trigger muster_history_update after update on public.%1$I referencing old table as removed new table as added
      for each statement execute function public.muster_history_%1$s_update();
    create or replace function public.muster_history_%1$s_delete() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $b$
    begin
      delete from public.history h where h.record_id = any (array(select id from removed)) and h.resource = %2$L;
      return null;
    end
    $b$;
    create or replace trigger muster_history_delete after delete on public.%1$I referencing old table as removed
      for each statement execute function public.muster_history_%1$s_delete();
    create or replace function public.muster_history_%1$s_truncate() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    begin
      delete from public.history h where h.resource = %2$L;
      return null;
    end
    $b$;
    create or replace trigger muster_history_truncate before truncate on public.%1$I
      for each statement execute function public.muster_history_%1$s_truncate();
    alter table public.%1$I enable always trigger muster_history_update;
    alter table public.%1$I enable always trigger muster_history_delete;
    alter table public.%1$I enable always trigger muster_history_truncate;
    $f$,
    _table, _resource, changed, coalesce(moved, 'false'), columns, entries,
    case when moves is null then '' else format($m$
      if has_moves then
        with updated as materialized (
          select a.id, r.id as old_id, %1$s from added a full join removed r using (id) where %2$s
        ), moved as materialized (
          select u.id, m.field, m.day from updated u cross join lateral (values %3$s) m (field, day, is_moved)
          where u.id = u.old_id and m.day is not null and m.is_moved
        )
        update public.history h set "on" = l.day
          from moved m cross join lateral (
            select (array_agg(c.id))[1] as id, greatest(least(m.day, today), (array_agg(c."on"))[2]) as day from (
              select x.id, x."on" from public.history x
              where x.resource = %4$L and x.record_id = m.id and x.field = m.field order by x."on" desc, x.id desc limit 2
            ) c
          ) l
          where h.id = l.id and h."on" <> l.day;
      end if;
      $m$, columns, moved, moves, _resource) end
  );
  insert into public.muster_history_from (resource, day) values (_resource, (now() at time zone 'utc')::date)
    on conflict (resource) do update set day = excluded.day;
  -- Cached responses say from which day on the history is complete.
  perform public.muster_update_table_version('history', 0);
end
$$;
comment on function public.muster_track_history(text, text, text[], text[]) is
  'Creates the triggers that write the history of a table; the history is complete from the day of this call on';
