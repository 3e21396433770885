-- The id that a client of the Cloud API was answered where the provider's was not known in time. It is the message's public id from then on,
-- also when the provider's comes: whichever of the two is stored first, by a change of this row, stays. Null of nearly all. It is found as
-- an id of the provider is, by a row of provider_message.
alter table message_state add column minted_id text;
