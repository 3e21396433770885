/** The one port number of a server without TCP: it only names the socket file. */
export const PORT = 5432;

/**
 * postgresql.conf of the embedded server, sized for a small machine: two cores, one gateway. Operators change settings with
 * `alter system`, which takes precedence over this file.
 */
export function renderSettings(input: { socketDir: string; durable: boolean }): string {
  const settings: Record<string, string | number> = {
    // Only the socket in our own directory: no port is occupied, and nothing can be reached from outside.
    listen_addresses: "",
    port: PORT,
    unix_socket_directories: input.socketDir,
    unix_socket_permissions: "0700",
    password_encryption: "scram-sha-256",

    max_connections: 200,
    shared_buffers: "128MB",
    effective_cache_size: "512MB",
    max_wal_size: "1GB",
    min_wal_size: "80MB",
    // Flash or page cache: an index read costs little more than a sequential one.
    random_page_cost: 1.1,
    // Statements here take milliseconds; compiling one takes longer than running it.
    jit: "off",
    // A statement over 60 partitions of several tables holds a lock on each of them and of their indexes.
    max_locks_per_transaction: 256,

    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    // From this level up, messages concern the server and not statements: errors of statements quote personal data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_autovacuum_min_duration: -1,
    log_line_prefix: "%m [%p] ",
  };
  // Acknowledged commits have still left the process (synchronous_commit stays on): kill -9 loses nothing, a power cut may.
  if (!input.durable) Object.assign(settings, { fsync: "off", full_page_writes: "off" });
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`);
  return `# Written by Waypost at each start. Your own settings: alter system.\n${lines.join("\n")}\n`;
}

/** pg_hba.conf: every login needs a password, and the socket is the only way to connect. */
export const HOST_BASED_ACCESS = "local all all scram-sha-256\n";
