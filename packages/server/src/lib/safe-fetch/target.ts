import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Where requests to addresses named by tenants may go. Built once from the configuration. */
export type EgressPolicy = {
  /** Ranges that may be reached although they are not public; inside them http, addresses as hosts and any port are allowed too. */
  allowed: readonly Range[];
  ports: ReadonlySet<number>;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** A target that passed the rules that need no name resolution. */
export type Target = {
  url: URL;
  /** Every address must lie inside the operator's ranges: the URL is one that only they permit (http, literal, other port). */
  insideOnly: boolean;
};

/** Why a target is refused; public text that names no address. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

const PUBLIC_PORTS = [443, 8443];
/** A URL is stored, logged and displayed; browsers and servers support about this length. */
const LONGEST_URL = 2_048;

/** `cidrs` and `ports` as in EGRESS_ALLOW_CIDRS and EGRESS_ALLOW_PORTS. Throws on an invalid range. */
export function egressPolicy(cidrs: readonly string[], ports: readonly number[]): EgressPolicy {
  return { allowed: cidrs.map((cidr) => ipaddr.parseCIDR(cidr)), ports: new Set([...PUBLIC_PORTS, ...ports]) };
}

/** Checks a URL without resolving its name; throws `TargetRefused`. Pure: also used when an endpoint is created or changed. */
export function checkUrl(text: string, policy: EgressPolicy): Target {
  if (text.length > LONGEST_URL) throw new TargetRefused(`The URL is longer than ${LONGEST_URL} characters.`);
  if (!URL.canParse(text)) throw new TargetRefused("This is not an absolute URL.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new TargetRefused("The URL must be https.");
  if (url.username !== "" || url.password !== "") throw new TargetRefused("The URL must not carry a user or password.");
  const port = portOf(url);
  // Port 0 means "any" to a socket and nothing to a receiver.
  if (port === 0) throw new TargetRefused("Port 0 cannot be reached.");

  const known = knownAddresses(url.hostname);
  const insideOnly = url.protocol === "http:" || isLiteral(url.hostname) || !policy.ports.has(port);
  if (insideOnly && policy.allowed.length === 0) throw new TargetRefused(reasonOf(url, port));
  if (known.length > 0 && !known.some((address) => mayReach(address, insideOnly, policy)))
    throw new TargetRefused(insideOnly ? reasonOf(url, port) : "The host is not a public address.");
  return { url, insideOnly };
}

/** The port that will be connected to. */
export const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);

/** True for a host that is an address, as the URL parser returns it: 0x7f.1 and 2130706433 are already in dotted form. */
export const isLiteral = (hostname: string): boolean => isIP(bare(hostname)) !== 0;

/** Addresses of a host that need no name server: the host itself if it is one, and loopback for `localhost` (RFC 6761, 6.3). */
export function knownAddresses(hostname: string): string[] {
  const host = bare(hostname);
  if (isIP(host) !== 0) return [host];
  return host === "localhost" || host.endsWith(".localhost") ? ["127.0.0.1", "::1"] : [];
}

/** True when connections to this address are allowed. */
export function mayReach(text: string, insideOnly: boolean, policy: EgressPolicy): boolean {
  // Not the library's own test, which accepts 1.2.3 as an address.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (policy.allowed.some((range) => address.kind() === range[0].kind() && address.match(range))) return true;
  return !insideOnly && isPublic(address);
}

// An allow list: only addresses known to be public. Those that contain a v4 address (mapped, NAT64, 6to4, Teredo) have ranges
// of their own, so they are not `unicast`; and of v6 only 2000::/3 is assigned at all.
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
// IETF assignments and documentation: not every release of the library's table has all of them.
const NOT_GLOBAL = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((cidr) => ipaddr.parseCIDR(cidr));

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv4") return true;
  return address.match(GLOBAL_UNICAST) && !NOT_GLOBAL.some((range) => address.match(range));
}

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

function reasonOf(url: URL, port: number): string {
  if (url.protocol === "http:") return "The URL must be https.";
  if (isLiteral(url.hostname)) return "The host must be a name, not an address.";
  return `Port ${port} is not one that the gateway connects to.`;
}
