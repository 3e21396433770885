-- The raw callback that reported what the event says: endpoints in the provider's format get their part of it. Null: no callback did, or
-- an earlier version has written the event.
alter table event add column callback_id uuid;
-- Of a status that waits for its message.
alter table parked_status add column callback_id uuid;
