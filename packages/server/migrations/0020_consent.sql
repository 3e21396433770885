-- What a person said about marketing: by the provider's own switch, or by a keyword. The newest evidence counts.
alter table contact
  -- preference: the person's setting at the provider; keyword: a message of theirs; client, import: the workspace says so.
  add column consent_source text,
  -- The provider's time of the evidence, and the message or callback that it was in.
  add column consent_at timestamptz,
  add column consent_proof uuid;

alter table workspace
  -- By language, as the workspace wrote them; null: the defaults. `words` are the same for comparison, of all languages.
  add column opt_out_keywords json,
  add column opt_in_keywords json,
  add column opt_out_words text[],
  add column opt_in_words text[];
