import { expect } from "vitest";
import type { Reply } from "../../../testing/call.ts";
import type { Sender } from "../../../testing/gateway.ts";

/** The version that tests ask for; any does. */
export const VERSION = "v23.0";

/** Path of a call below a number. */
export const ofNumber = ({ account }: Sender, rest = ""): string =>
  `/${VERSION}/${account.providerPhoneNumberId}${rest}`;
/** Path of a call below an account. */
export const ofAccount = ({ account }: Sender, rest = ""): string => `/${VERSION}/${account.wabaId}${rest}`;

/** Requires a refusal in the provider's envelope, by its code and subcode. */
export function expectGraphError(reply: Reply, status: number, code: number, subcode?: number): void {
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining("fbtrace_id")]);
  expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  const { error } = reply.body;
  expect(error).toEqual(
    expect.objectContaining({
      message: expect.stringContaining(`(#${code})`),
      type: expect.any(String),
      code,
      is_transient: expect.any(Boolean),
      fbtrace_id: expect.any(String),
    }),
  );
  expect(error.error_subcode).toBe(subcode);
}

/** A text to a person. */
export const textTo = (to: string, more: object = {}): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: to.replace("+", ""),
  type: "text",
  text: { body: "Hello" },
  ...more,
});
