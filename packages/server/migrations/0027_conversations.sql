-- How far the workspace has read what a person wrote to a number: the id of the latest message that it marked as read.
alter table conversation add column read_to uuid;

do $$
begin
  execute format('grant update (read_to) on conversation to %I', (select app_role from installation));
end $$;
