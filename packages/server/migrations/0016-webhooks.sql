-- expands
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
