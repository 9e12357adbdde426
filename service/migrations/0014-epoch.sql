-- expands
-- The epoch that every version begins with, and triggers that fire for every writer.

-- pg_dump does not dump the content of a materialized view: it refreshes the view as the last step of a restore, after all
-- data, indexes, triggers and grants (also with --jobs). So this value exists only once a restore is complete, and every
-- restore makes a new one. Until then a version cannot be read. "muster doctor --repair" refreshes it too.
create materialized view muster_epoch as select gen_random_uuid()::text as epoch;
-- For "refresh materialized view concurrently", which does not wait for readers.
create unique index muster_epoch_idx on muster_epoch (epoch);

-- The same text as eraOfBooks in service/src/database/statement.ts.
create or replace function public.muster_note_era() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  present constant text := (select epoch from public.muster_epoch)
    || '.' || pg_relation_filepath('public.muster_ledger')
    || '.' || extract(epoch from pg_postmaster_start_time())::text
    || '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text;
begin
  if present is distinct from (select era from public.muster_era) then
    insert into public.muster_era as noted (era) values (present)
      on conflict (line) do update set era = excluded.era where noted.era <> excluded.era;
  end if;
end
$$;

-- Enabled "always", a trigger also fires under session_replication_role = replica. It also leaves a trace of having been
-- off: "enable trigger" (which pg_restore --disable-triggers runs) sets it to "origin", and the health check reports that.
create function public.muster_always_fire(_table text) returns void
language plpgsql as $$
begin
  execute (
    select string_agg(format('alter table public.%I enable always trigger %I', _table, name), '; ')
    from unnest(array['muster_books_insert', 'muster_books_delete', 'muster_books_update', 'muster_books_truncate']) name);
end
$$;

create or replace function public.muster_keep_books(_table text, _states text[]) returns void
language plpgsql as $$
begin
  perform public.muster_begin_books(_table, _states);
  perform public.muster_keep_single_rows(_table, _states);
  perform public.muster_always_fire(_table);
end
$$;

select public.muster_always_fire(name) from unnest(array['departments', 'candidates', 'employees', 'leave_requests',
  'attendance', 'job_openings', 'applications', 'organizations', 'recruitment_brands', 'career_sites',
  'organization_teams', 'job_distributions']) name;
