-- Which record a key given with a create stands for. The record itself is not repeated: a replay reads it where it is,
-- and of the body only a digest is kept.
create table muster_idempotency_keys (
  resource text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of the body the key came with.
  fingerprint bytea not null,
  record_id bigint not null,
  claimed timestamptz not null default now(),
  primary key (resource, key)
);
create index muster_idempotency_keys_claimed_idx on muster_idempotency_keys (claimed);

-- Forgets keys older than a day, so many at a time that nobody waits for it. Called time and again by the service, with
-- the rights of the owner: the service's own role may only read and add.
create function public.muster_forget_keys() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from public.muster_idempotency_keys where ctid = any (array(
    select ctid from public.muster_idempotency_keys where claimed < now() - interval '24 hours'
    order by claimed limit 5000 for update skip locked));
$$;
