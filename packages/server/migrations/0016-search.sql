-- expands
-- covers: employees, candidates, job_openings
-- Builds the indexes of names, by which the ranked search finds records.
-- Writes to employees, candidates and job_openings wait until the migration ends: docs/operations.md
-- ("Migrations that write a table again") says how long.

create index employees_search_name_idx on employees using btree (((public.muster_key(status) collate "C" in ('terminated') or alumni in (1))::int), ("left"(public.muster_fold(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))), 200) collate "C"), id);
create index employees_search_name_reversed_idx on employees using btree (((public.muster_key(status) collate "C" in ('terminated') or alumni in (1))::int), ("left"(public.muster_fold(btrim(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))), 200) collate "C"), id);
create index candidates_search_name_idx on candidates using btree (((public.muster_key(status) collate "C" in ('hired', 'archived'))::int), ("left"(public.muster_fold(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))), 200) collate "C"), id);
create index candidates_search_name_reversed_idx on candidates using btree (((public.muster_key(status) collate "C" in ('hired', 'archived'))::int), ("left"(public.muster_fold(btrim(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))), 200) collate "C"), id);
create index job_openings_search_name_idx on job_openings using btree (((public.muster_key(status) collate "C" in ('closed', 'archived'))::int), ("left"(public.muster_fold(btrim(title)), 200) collate "C"), id);
