-- One SQL function per business rule (packages/model/src/rules.ts has the rules that the console shares). Thresholds are
-- arguments of the reports. PostgreSQL inlines functions of one expression, so conditions can still use indexes.

create function public.muster_is_employed_on(date_of_joining date, termination_date date, day date) returns boolean
language sql immutable parallel safe as $$
  select date_of_joining <= day and (termination_date is null or termination_date > day)
$$;
comment on function public.muster_is_employed_on(date, date, date) is
  'Whether somebody who joined and left on these days was employed on a day';

create function public.muster_is_past_target(target_date date, filled bigint, headcount bigint, day date) returns boolean
language sql immutable parallel safe as $$
  select target_date < day and filled < headcount
$$;
comment on function public.muster_is_past_target(date, bigint, bigint, date) is
  'Whether a job opening had unfilled positions after its target date';

create function public.muster_is_declined(status text) returns boolean
language sql immutable parallel safe as $$
  select public.muster_key(status) collate "C" in ('rejected', 'withdrawn')
$$;
comment on function public.muster_is_declined(text) is
  'Whether an application was rejected or withdrawn';

-- The stage counts, because the status may still be active.
create function public.muster_is_hire(stage text, status text) returns boolean
language sql immutable parallel safe as $$
  select public.muster_key(stage) collate "C" = 'hired' and not public.muster_is_declined(status)
$$;
comment on function public.muster_is_hire(text, text) is
  'Whether an application with this stage and status is a hire';

-- Without "sourced", which is an alternative to "applied" rather than a step before it.
create function public.muster_suggested_stages() returns text[]
language sql immutable parallel safe as $$
  select array['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']
$$;
comment on function public.muster_suggested_stages() is
  'The stages of a job opening that lists none';

-- Not parallel safe: the exception block starts a subtransaction, which PostgreSQL rejects in a parallel query.
create function public.muster_listed_stages(stages_json text) returns text[]
language plpgsql immutable as $$
declare
  document jsonb;
begin
  if coalesce(btrim(stages_json, E' \t\n\r'), '') = '' then
    return '{}';
  end if;
  begin
    document := stages_json::jsonb;
  exception when data_exception or program_limit_exceeded then
    return null;
  end;
  if jsonb_typeof(document) = 'null' then
    return '{}';
  elsif jsonb_typeof(document) <> 'array' or exists (
    select from jsonb_array_elements(document) e
    where jsonb_typeof(e) <> 'string' and jsonb_typeof(e -> 'name') is distinct from 'string'
  ) then
    return null;
  end if;
  return array(
    select key
    from (
      select public.muster_key(coalesce(e ->> 'name', e #>> '{}')) as key, place
      from jsonb_array_elements(document) with ordinality as listed (e, place)
    ) keys
    where key <> 'sourced'
    group by key
    order by min(place)
  );
end
$$;
comment on function public.muster_listed_stages(text) is
  'The stages in stages_json as keys in order, without "sourced"; null if it is not a list of stages';

create function public.muster_job_stages(stages_json text) returns text[]
language sql immutable as $$
  select coalesce(nullif(public.muster_listed_stages($1), '{}'), public.muster_suggested_stages())
$$;
comment on function public.muster_job_stages(text) is
  'The stages of a job opening in order, as keys; the suggested stages if it lists none';
