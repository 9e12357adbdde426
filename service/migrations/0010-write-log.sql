-- Who wrote what and when, one line per create that a token let in; nothing of what was written. Lines are added in the
-- statement that stores the record, so that there is no record without one. The service's role may add lines and do
-- nothing else with them: time and order are given by the database.
create table muster_writes (
  entry bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- X-Request-Id of the answer, and the first 8 hexadecimal digits of the token's SHA-256; null where the owner wrote.
  request_id text,
  token text,
  route text not null,
  record_id bigint,
  outcome text collate "C" not null
);
