-- The demo company: what the seed wrote, so that a second run knows it has been here.

create table muster_seed (
  singleton boolean primary key default true,
  seed text not null,
  as_of date not null,
  size text not null,
  counts jsonb not null,
  written timestamptz not null default date_trunc('second', now()),
  constraint muster_seed_singleton_check check (singleton)
);
