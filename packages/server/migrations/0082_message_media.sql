-- The media that a message which is sent from here names, each once; null where it names none.
alter table message add column media uuid[];
