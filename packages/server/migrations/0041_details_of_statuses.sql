-- What the provider says with a status beside how far the message came: the conversation in which it counts it, rarely.
alter table history add column conversation json;
alter table parked_status add column conversation json;

-- And how the person that it went to calls themselves.
alter table contact_evidence
  add column username text,
  add column profile_name text;
