import type { IncomingMessage } from "node:http";

/** What of a request says where its browser is. Header names are lower case. */
export type BrowserHead = {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket: Pick<IncomingMessage["socket"], "localAddress" | "localPort">;
};

/** The address under which a browser has the console. */
export type ConsolePlace = {
  /** Name of the cookie. On loopback it carries the port: cookies do not know ports, and each gateway there has its own. */
  cookie: string;
  secure: boolean;
  /** Those of its own pages, for browsers that do not send `Sec-Fetch-Site`. */
  origins: readonly string[];
};

/**
 * Where the request's browser has the console: by `PUBLIC_URL`, by the protocol that a trusted proxy names, or on this machine. Null
 * where a cookie could be read on its way: http from elsewhere. The Host header can only narrow it (a foreign name that leads to this
 * machine), never widen it.
 */
export function placeOf(
  { headers, socket }: BrowserHead,
  { PUBLIC_URL, TRUST_PROXY }: { PUBLIC_URL: string | null; TRUST_PROXY: unknown },
): ConsolePlace | null {
  if (PUBLIC_URL !== null) {
    const { protocol, hostname, origin } = new URL(PUBLIC_URL);
    if (protocol === "https:") return { ...SECURE, origins: [origin] };
    return isLoopback(hostname) ? onLoopback(socket.localPort ?? 0, [origin]) : null;
  }
  if (TRUST_PROXY !== null && /^https\b/i.test(firstOf(headers["x-forwarded-proto"])))
    return { ...SECURE, origins: [] };
  if (!isLoopback(socket.localAddress ?? "") || !isLoopback(hostnameOf(firstOf(headers["host"])))) return null;
  const port = socket.localPort ?? 0;
  return onLoopback(
    port,
    ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${port}`),
  );
}

/** `__Host-`: browsers take it from https alone, and never for another host. */
const SECURE = { cookie: "__Host-waypost", secure: true } as const;
const onLoopback = (port: number, origins: readonly string[]): ConsolePlace => ({
  cookie: `waypost_${port}`,
  secure: false,
  origins,
});

const firstOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? (value[0] ?? "") : (value ?? "");
const hostnameOf = (host: string): string => host.replace(/:\d*$/, "");
const isLoopback = (address: string): boolean =>
  /^(?:localhost|\[?::1\]?|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(address);

/** Whether a page of the console has made the request: no other site can make a browser say so. */
export function isFromConsole({ method = "GET", headers }: BrowserHead, { origins }: ConsolePlace): boolean {
  const isOwn = isSameOrigin(headers, origins);
  // No foreign page can send this header without asking first, which is never answered.
  return isOwn && (method === "GET" || method === "HEAD" || headers["waypost-console"] === "1");
}

function isSameOrigin(headers: BrowserHead["headers"], origins: readonly string[]): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? origins.includes(firstOf(headers["origin"])) : site === "same-origin";
}

/** Whether a sign-in may come from here: not from a page of another site. Programs name no page. */
export const isFromElsewhere = ({ headers }: BrowserHead, { origins }: ConsolePlace): boolean =>
  (headers["sec-fetch-site"] !== undefined || headers["origin"] !== undefined) && !isSameOrigin(headers, origins);

/** The value of the console's cookie; null when the request has none. */
export function cookieOf({ headers }: BrowserHead, { cookie }: ConsolePlace): string | null {
  for (const part of firstOf(headers["cookie"]).split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === cookie && value) return value;
  }
  return null;
}

/** The header that gives a browser the cookie, for `seconds`; 0 takes it away. */
export const setCookie = ({ cookie, secure }: ConsolePlace, value: string, seconds: number): string =>
  `${cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
