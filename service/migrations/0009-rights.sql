-- The roles of the service get their rights by grants of their own; what runs with the owner's rights is for them alone.
-- (Trigger functions cannot be called at all.)

revoke execute on function public.muster_upkeep(), public.muster_forget_keys() from public;
