import { quoted } from "../../parts/curl.ts";

type Request = { headers: Readonly<Record<string, string | null>>; body: string | null };

/** The body as JSON; its text where it is none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Id of the message that a posted event is about; null for another, and for one in the provider's format. */
export function messageIn(body: string | null): string | null {
  const event = body === null ? null : parsed(body);
  const { data } = (typeof event === "object" && event !== null ? event : {}) as {
    data?: { message?: { id?: unknown } };
  };
  const id = data?.message?.id;
  return typeof id === "string" ? id : null;
}

/** A command that posts the same to the receiver. Signatures and values of the endpoint's own headers are not known here, and left out. */
export function requestCurl(url: string, { headers, body }: Request): string {
  const given = Object.entries(headers).filter(([, value]) => value !== null);
  const lines = given.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl ${quoted(url)}`, ...lines, `--data-binary ${quoted(body ?? "")}`].join(" \\\n  ");
}
