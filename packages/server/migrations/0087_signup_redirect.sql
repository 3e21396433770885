-- Where the provider's dialog sent the code, which it compares at the exchange; null: a code that came without an address.
alter table embedded_signup add column redirect_uri text;
