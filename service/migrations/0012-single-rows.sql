-- Creates add one row at a time: that is entered into the books by one statement and without grouping. Inserts of many
-- rows are entered as before.

create function public.muster_keep_single_rows(_table text, _states text[]) returns void
language plpgsql as $$
declare
  scopes text := '('''')' || coalesce((select string_agg(format(', (%L || public.muster_key(r.%I))', s || '=', s), '') from unnest(_states) s), '');
begin
  execute format($f$
    create or replace function public.muster_books_%1$s_insert() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      gained bigint := (select count(*) from added);
    begin
      if gained = 1 then
        with entered as (
          insert into public.muster_journal
            select %1$L, s.scope, r.id >> 8, 1 from added r cross join lateral (values %2$s) s (scope)
        )
        update public.muster_ledger set rows = rows + 1, changes = changes + 1
          where resource = %1$L and session = pg_backend_pid();
        if not found then
          insert into public.muster_ledger values (%1$L, pg_backend_pid(), 1, 1);
        end if;
      elsif gained > 1 then
        perform public.muster_enter(%1$L, gained);
        insert into public.muster_journal
          select %1$L, s.scope, r.id >> 8, count(*) from added r cross join lateral (values %2$s) s (scope)
          group by s.scope, r.id >> 8;
      end if;
      return null;
    end
    $b$;
    $f$, _table, scopes);
end
$$;

-- Whoever begins the books of a further table gets both.
alter function public.muster_keep_books(text, text[]) rename to muster_begin_books;
create function public.muster_keep_books(_table text, _states text[]) returns void
language plpgsql as $$
begin
  perform public.muster_begin_books(_table, _states);
  perform public.muster_keep_single_rows(_table, _states);
end
$$;

select public.muster_keep_single_rows(name, states) from (values
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
