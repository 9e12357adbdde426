-- What the service writes beside the records: idempotency keys, the audit log, the marker of the demo data, the keys of erased
-- persons and the state of webhooks.

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
comment on table muster_idempotency_keys is 'The record that each Idempotency-Key of the last 24 hours created';

-- Called every second by the service: deletes keys older than a day, a bounded number at a time so that locks are short. Runs
-- with the owner's rights, because the service's role may only read and insert keys.
create function public.muster_prune_keys() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from public.muster_idempotency_keys where ctid = any (array(
    select ctid from public.muster_idempotency_keys where claimed < now() - interval '24 hours'
    order by claimed limit 5000 for update skip locked));
$$;
comment on function public.muster_prune_keys() is 'Deletes idempotency keys older than 24 hours; the service calls it every second';
revoke execute on function public.muster_prune_keys() from public;

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
comment on table muster_audit_log is 'Who created or erased which record and when, without its content';

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
comment on table muster_seed is 'The demo data that "muster seed" wrote';

-- Who was erased, so that "muster sync" can refuse a file that still contains the person: the natural key of an erased record as
-- HMAC-SHA-256; null if the record had none. No role but the owner may read this table and the next one.
create table muster_erased_keys (
  resource text collate "C" not null,
  record_id bigint not null,
  key_hmac bytea,
  erased_at timestamptz not null default now()
);
create unique index muster_erased_keys_idx on muster_erased_keys (resource, record_id, coalesce(key_hmac, ''));
create index muster_erased_keys_hmac_idx on muster_erased_keys (resource, key_hmac);

-- The secret of the HMAC, as its two padded keys.
create table muster_erasure_secret (
  singleton boolean primary key default true check (singleton),
  inner_key bytea not null,
  outer_key bytea not null
);

-- How far "muster webhooks" has delivered the change feed to each endpoint, and the message that is being delivered.
create table muster_webhooks (
  name text collate "C" primary key,
  -- disabled: the endpoint responded 410. failed: the last attempt failed. removed: not in the file any more.
  status text collate "C" not null default 'active'
    constraint muster_webhooks_status_check check (status in ('active', 'disabled', 'failed', 'removed')),
  -- Everything before it was delivered, or is not for this endpoint.
  cursor text not null,
  -- muster_server_starts.id when the row was written. If the timeline has changed since, and the process has no memory of
  -- what it sent, the server may have been set back to before messages that were sent.
  server_start text collate "C" not null,
  -- Stored before it is sent, so that every attempt sends the same bytes with the same id; null if there is none.
  message_id text,
  message_body text,
  -- The cursor once the message is delivered.
  message_cursor text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_error text,
  -- Incremented by every write, so that the process notices "muster webhooks --resume".
  revision bigint not null default 0,
  constraint muster_webhooks_message_check check (num_nulls(message_id, message_body, message_cursor) in (0, 3))
);
comment on table muster_webhooks is 'Endpoints of webhooks: cursor, message in delivery and attempts; ids of records only, no personal data';
