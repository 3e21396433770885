-- How far each feature is with an erased record, by the pass and the feature: {"first messages": {"place": "…", "whole": false}}. Null:
-- none has begun, or all have ended. Versions before this one keep how far the messages are in `redacted_from`, which only they read: a
-- version does again what the other had done, and nothing is left out.
alter table erased_contact add column progress jsonb;
