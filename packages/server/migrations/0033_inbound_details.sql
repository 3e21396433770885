-- What the provider says of a message beside its content: of one that a person wrote, and of one that the business wrote itself in the
-- WhatsApp Business app. Both are null for what was sent from here, and for rows of earlier versions.
alter table message
  -- The provider's time.
  add column occurred_at timestamptz,
  -- Only what there is of: context, referral, errors, group_id, fields (by the provider's names), origin.
  add column provided json;

-- Called for each message of a person that is read, most of which name none.
alter function message_of_provider_id(uuid, text) strict;

-- Whether a provider's id is that of a message that came in: no status is of it. Null in rows of earlier versions.
alter table provider_message add column inbound boolean;

-- The same for a row of an earlier version: the message says it. A function, because few rows need it soon: a look-up written into a
-- statement would open every partition of the table each time.
create function is_inbound_message(of_workspace uuid, of_message uuid) returns boolean language plpgsql stable as $$
begin
  return (select not m.outbound from message m where m.workspace_id = of_workspace and m.id = of_message);
end
$$;
