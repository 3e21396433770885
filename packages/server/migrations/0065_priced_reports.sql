-- The reports of a message that had a price, as bits of `seen`: of the highest of them is the message's. Null: none had, or an earlier
-- version has stored it.
alter table message_state add column priced int;
