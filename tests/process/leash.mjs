// Loaded before a gateway's own modules: it ends with the process that started it.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.channel?.unref();
