import { Buffer } from "node:buffer";
import { isIP, isIPv4 } from "node:net";

/** Readers of settings: each takes the text of a variable and returns its value, or throws an error that says what it needs. */

export const text = (value: string): string => value;

export const list = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

export function whole(value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new Error(`a whole number from ${min} to ${max}`);
  return number;
}

/** Seconds, with a fraction. */
export function secondsWithin(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`seconds from ${min} to ${max}`);
    return number;
  };
}

export const port = (value: string): number => whole(value, 0, 65_535);
export const ports = (value: string): number[] => list(value).map((part) => whole(part, 1, 65_535));

export function oneOf<T extends string>(...values: readonly T[]): (value: string) => T {
  return (value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new Error(`one of ${values.join(", ")}`);
    return found;
  };
}

/** Visible ASCII, as in a header. */
export function token(least: number): (value: string) => string {
  return (value) => {
    if (value.length < least || !/^[\x21-\x7e]+$/.test(value))
      throw new Error(`at least ${least} visible ASCII characters without spaces`);
    return value;
  };
}

export function tokens(value: string): string[] {
  const parts = list(value);
  if (parts.length === 0) throw new Error("at least one value");
  return parts;
}

/** An address or a host name. */
export function host(value: string): string {
  if (isIP(value) === 0 && !/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(value))
    throw new Error("an address such as 0.0.0.0 or ::, or a host name, without port");
  return value;
}

/** The base of paths: no query, no fragment, no slash at the end. */
export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new Error("an http or https URL without user, query and fragment");
  return value.replace(/\/+$/, "");
}

export function proxyUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !["", "/"].includes(url.pathname) ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw new Error("an http or https URL with a host, and a user and password where the proxy asks for them");
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error("a user and password in which % is written as %25");
  }
  return value;
}

export function databaseUrl(value: string): string {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new Error("a URL such as postgres://login:password@host:5432/database");
  return value;
}

const CIDR_EXAMPLE = "such as 10.0.0.0/8";

function isCidr(part: string): boolean {
  const [, address = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(part) ?? [];
  return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

export function cidrs(value: string): string[] {
  const parts = list(value);
  if (!parts.every(isCidr)) throw new Error(`a comma list of CIDR ranges ${CIDR_EXAMPLE}`);
  return parts;
}

/** Null: no proxy is trusted. */
export function proxies(value: string): string[] | null {
  if (value === "off") return null;
  const parts = list(value);
  if (parts.length === 0 || !parts.every((part) => isIP(part) !== 0 || isCidr(part)))
    throw new Error(`\`off\`, or a comma list of addresses and CIDR ranges ${CIDR_EXAMPLE}`);
  return parts;
}

/** Null when off. */
export const rateLimit = (value: string): number | null => {
  if (value === "off") return null;
  if (!/^\d+$/.test(value)) throw new Error("a whole number from 1 to 1000000, or `off`");
  return whole(value, 1, 1_000_000);
};

export function encryptionKeys(value: string): Buffer[] {
  const keys = list(value).map((part) => Buffer.from(part, "base64"));
  const exact = list(value).every((part, index) => keys[index]?.toString("base64") === part);
  if (keys.length === 0 || !exact || keys.some((key) => key.length !== 32))
    throw new Error("32 bytes in base64, or a comma list of such keys");
  return keys;
}

export function apiVersion(value: string): string {
  if (!/^v\d+\.\d+$/.test(value)) throw new Error("a version such as v26.0");
  return value;
}

export function region(value: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(value)) throw new Error("the name of a region such as us-east-1");
  return value;
}
