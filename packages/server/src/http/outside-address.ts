import type { App } from "../ctx.ts";

/** The address that people and programs reach this gateway by. Never from a request: its Host is the client's word. */
export function outsideAddress({ PUBLIC_URL, HOST, PORT }: App["config"]): string {
  if (PUBLIC_URL !== null) return PUBLIC_URL;
  const host = ["0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
