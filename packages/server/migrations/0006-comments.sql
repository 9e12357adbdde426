-- expands
-- Comments for those who look at the database with psql (\d+, \df+).

comment on table muster_table_versions is 'Rows and changes of each table, one row per session; sum(changes) is part of the version in an ETag';
comment on table muster_count_deltas is 'Rows added or removed per bucket of 256 ids, not yet in muster_count_buckets';
comment on table muster_count_buckets is 'Rows per bucket of 2^level ids, for all rows and for each value of a counted column';
comment on materialized view muster_epoch is 'First part of every version: a new value after each restore and each "muster doctor --repair"';
comment on table muster_primary_epoch is 'The epoch as the primary wrote it, for its standbys';
comment on table muster_idempotency_keys is 'The record that each Idempotency-Key of the last 24 hours created';
comment on table muster_audit_log is 'Who created or erased which record and when, without its content';
comment on table muster_seed is 'The demo data that "muster seed" wrote';

comment on function public.muster_track_table(text, text[]) is 'Creates the row count triggers of a table; the array names the columns whose values are counted';
comment on function public.muster_rebuild_counts(text, text[]) is 'Counts a table again, with writes locked out; returns how far its counts were off';
comment on function public.muster_maintain() is 'Compacts row counts and merges the versions of ended sessions; the service calls it every second';
comment on function public.muster_record_epoch() is 'Writes the epoch for standbys; the service calls it every second';
comment on function public.muster_prune_keys() is 'Deletes idempotency keys older than 24 hours; the service calls it every second';
