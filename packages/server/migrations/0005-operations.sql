-- What the service writes beside the records: idempotency keys, the audit log and the marker of the demo data.

-- The record that an Idempotency-Key created. A repeated request reads the record itself; of the body only a digest is kept.
create table muster_idempotency_keys (
  resource text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of the body that came with the key.
  fingerprint bytea not null,
  record_id bigint not null,
  claimed timestamptz not null default now(),
  primary key (resource, key)
);
create index muster_idempotency_keys_claimed_idx on muster_idempotency_keys (claimed);

-- Called every second by the service: deletes keys older than a day, a bounded number at a time so that locks are short. Runs
-- with the owner's rights, because the service's role may only read and insert keys.
create function public.muster_prune_keys() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from public.muster_idempotency_keys where ctid = any (array(
    select ctid from public.muster_idempotency_keys where claimed < now() - interval '24 hours'
    order by claimed limit 5000 for update skip locked));
$$;

-- Who created or erased which record and when, without its content. The statement that stores a record also inserts its
-- entry, so no record is without one. The service's role may only insert, and neither the time nor the order of entries.
create table muster_audit_log (
  entry bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- X-Request-Id of the response, and the first 8 hexadecimal digits of the token's SHA-256; null if the owner wrote.
  request_id text,
  token text,
  route text not null,
  record_id bigint,
  outcome text collate "C" not null
);

-- Which demo data was written, so that a second "muster seed" finds it.
create table muster_seed (
  singleton boolean primary key default true,
  seed text not null,
  as_of date not null,
  size text not null,
  counts jsonb not null,
  written timestamptz not null default date_trunc('second', now()),
  constraint muster_seed_singleton_check check (singleton)
);

-- Functions that run with the owner's rights are for the roles they are granted to ("muster migrate" grants them). Trigger
-- functions cannot be called.
revoke execute on function public.muster_record_epoch(), public.muster_maintain(), public.muster_prune_keys() from public;
