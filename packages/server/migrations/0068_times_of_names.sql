-- When what a person calls themselves was last said to be another: a status or a message that comes late does not bring an older name
-- back. Null: not known, as of names that an earlier version has stored.
alter table contact add column named_at timestamptz;
