-- expands
-- `muster sync` inserts new records before it updates existing ones. A new team can have a parent that the same sync moves to
-- another organization, so the constraint is checked at the end of the sync.
alter table public.organization_teams alter constraint organization_teams_parent_id_fkey deferrable initially immediate;
