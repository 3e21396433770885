-- An account becomes two at the provider: a Messaging account, which keeps the id, and a WhatsApp account for each number.
-- messaging_account_id: the Messaging account that sends are billed to, where a number has several. waac_id: as callbacks say it.
alter table business_account add column messaging_account_id text, add column waac_id text;
do $$ begin
  execute format('grant select (messaging_account_id, waac_id) on business_account to %I', (select engine_role from installation));
end $$;

-- When the provider said that a number is being registered again in the WhatsApp Business app, and that it is back; its own times.
alter table phone_number add column offboarded_at timestamptz, add column reconnected_at timestamptz;
