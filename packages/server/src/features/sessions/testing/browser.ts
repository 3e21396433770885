import { type Call, callAs, type Reply } from "../../../testing/call.ts";
import type { Gateway } from "../../../testing/gateway.ts";

/** A browser with the console open: it keeps the cookie, and sends what browsers and the console's pages send. */
export class Browser {
  cookie: string | null = null;
  readonly #gateway: Pick<Gateway, "url">;

  constructor(gateway: Pick<Gateway, "url">) {
    this.#gateway = gateway;
  }

  /** As the console's pages call. */
  readonly call: Call = (method, path, options = {}) =>
    this.send(method, path, {
      ...options,
      headers: { "sec-fetch-site": "same-origin", "waypost-console": "1", ...options.headers },
    });

  /** With the cookie, and these headers alone. */
  readonly send: Call = async (method, path, options = {}) => {
    const cookie: Record<string, string> = this.cookie === null ? {} : { cookie: this.cookie };
    const headers = { ...cookie, ...options.headers };
    const reply = await callAs(this.#gateway.url, null)(method, path, { ...options, headers });
    const set = reply.headers["set-cookie"];
    if (set !== undefined) this.cookie = /Max-Age=0\b/.test(set) ? null : (set.split(";")[0] ?? null);
    return reply;
  };

  signIn(key: string): Promise<Reply> {
    return this.call("POST", "/console/session", { body: { key } });
  }

  session(): Promise<Reply> {
    return this.call("GET", "/console/session");
  }
}
