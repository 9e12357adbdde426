-- expands
-- Who was erased, so that "muster sync" can refuse a file that still contains the person. No role but the owner may read
-- these tables.

-- The natural key of an erased record as HMAC-SHA-256; null if the record had none.
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
