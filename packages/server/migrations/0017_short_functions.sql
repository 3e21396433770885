-- As before, each as one expression: PostgreSQL puts such a function into the statement instead of calling it for each row.
create or replace function new_uuid(at timestamptz) returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send((date_part('epoch', at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
create or replace function delivery_id(event uuid, endpoint uuid) returns uuid language sql immutable parallel safe as $$
  select left(
    overlay(left(event::text, 14) || '7' || encode(sha256(uuid_send(event) || uuid_send(endpoint)), 'hex') placing '-8' from 19 for 0),
    35)::uuid
$$;
