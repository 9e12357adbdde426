-- expands
-- The filter and the sort order by remote_policy. The other fields that became filters had an index for their sort order.

create index job_openings_remote_policy_idx on job_openings (public.muster_key(remote_policy) collate "C", id);
