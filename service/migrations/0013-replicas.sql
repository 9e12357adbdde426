-- expands
-- What a standby needs to say which state it is in, in words that its primary understands.

-- The era of the primary's books, noted by the primary itself: who has this line has it from there, and nothing that
-- another primary wrote, be it older or promoted by mistake.
create table muster_era (
  line boolean primary key default true check (line),
  era text not null
);

-- As the versions of the primary begin. Called time and again by the service; writes after a start of the server alone.
create function public.muster_note_era() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  present constant text := 'public.muster_ledger'::regclass::oid::text || '.' || extract(epoch from pg_postmaster_start_time())::text;
begin
  if present is distinct from (select era from public.muster_era) then
    insert into public.muster_era as noted (era) values (present)
      on conflict (line) do update set era = excluded.era where noted.era <> excluded.era;
  end if;
end
$$;
revoke execute on function public.muster_note_era() from public;

create function public.muster_noted_era() returns text
language sql stable parallel safe
return (select era from public.muster_era);

-- Which writes a snapshot shows of each table. Every session counts its own in order, so that the same counts of the same
-- sessions are the same writes, whatever order others became visible in.
create function public.muster_mark(_resources text[]) returns text
language sql stable parallel safe
return (
  select string_agg(coalesce((
    select bit_xor(hashint8extended(changes, session)) from public.muster_ledger where resource = wanted.resource
  ), 0)::text, '.' order by wanted.place)
  from unnest(_resources) with ordinality wanted (resource, place)
);
