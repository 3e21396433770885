-- Each secret lives until its own promised end, whatever is rotated meanwhile. The newest of the replaced ones stays in
-- `previous_secret`, where processes of before look; the others are here, [{"secret", "until"}], sealed and in base64, newest first.
alter table webhook_endpoint add column older_secrets json;
