-- What events read of endpoints is in an index, which answers alone only for pages that a vacuum has marked as visible to all. By
-- default that is done after a thousand new rows or a fifth of the table changed.
alter table webhook_endpoint set (
  autovacuum_vacuum_insert_threshold = 100, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0.02
);
