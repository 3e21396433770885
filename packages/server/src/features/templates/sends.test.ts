import { beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import { takeTemplates } from "../messages/testing/golden-templates.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { DEFINITIONS } from "./testing/definitions.ts";
import { FITTING } from "./testing/fitting.ts";
import { code } from "./testing/parts.ts";
import { UNFIT_PARTS } from "./testing/unfit-parts.ts";
import { UNFIT_TEXTS } from "./testing/unfit-texts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, mine } = senders;
beforeAll(() => takeTemplates(senders, DEFINITIONS));

const bodyOf = (name: string, components: unknown[]) => ({
  to: person(),
  type: "template",
  template: { name, language: { code: "en_US" }, components },
});

describe("what fits its template is accepted here and by the provider", () => {
  it.each(FITTING)("%s: %s", async (name, _what, components) => {
    const reply = await mine.call("POST", "/v1/messages", { body: bodyOf(name, components) });
    expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
    const message = await mine.becomes(reply.body.id, "accepted");
    expect(message.error).toBeNull();
  });
});

describe("what does not is refused with the place, the slot and what to do", () => {
  it.each([...UNFIT_TEXTS, ...UNFIT_PARTS])("$name: $what", async ({ name, components, faults, provider }) => {
    const body = bodyOf(name, components);
    const reply = await mine.call("POST", "/v1/messages", { body });
    expect([reply.status, reply.body.code]).toEqual([422, "template_parameters_mismatch"]);
    const found = reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    expect(found).toEqual(faults.map(([pointer, code]) => `/template/components${pointer} ${code}`));
    for (const [index, [, , ...texts]] of faults.entries())
      for (const text of texts) expect(reply.body.errors[index].detail).toContain(text);
    expect(reply.body.detail).toBe(reply.body.errors[0].detail);

    // What the provider takes nevertheless is marked in the table, so that nothing else is refused here that could be sent.
    const answer = await fetch(`${gateway.simulator.url}/v26.0/${mine.account.providerPhoneNumberId}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${mine.account.token}`, "content-type": "application/json" },
      body: JSON.stringify({ messaging_product: "whatsapp", ...body }),
    });
    const { error } = (await answer.json()) as { error?: { code: number } };
    expect(error?.code).toBe(provider);
  });
});

describe("a code for a person without a visible number", () => {
  /** A person writes under a user id, and perhaps a number; resolves with the contact's id. */
  const hear = async (userId: string, phone?: string): Promise<string> => {
    const digits = phone?.slice(1);
    const { messages } = textFrom(digits ?? "", `wamid.${userId}`, "Hello", gateway.clock.now()) as {
      messages: object[];
    };
    const value = {
      contacts: [{ wa_id: digits, user_id: userId }],
      messages: [{ ...messages[0], from: digits, from_user_id: userId }],
    };
    expect((await postCallback(gateway, callbackOf(mine.account, value))).status).toBe(200);
    const { body } = await mine.call("GET", "/v1/messages?direction=inbound&limit=1");
    return body.data[0].contact_id;
  };
  const otp = (to: string) => ({ ...bodyOf("otp", code("123456")), to });
  const refusedAtTo = { status: 422, body: { code: "reference_not_found", errors: [{ pointer: "/to" }] } };

  it("is refused: the provider sends codes to numbers only", async () => {
    const contact = await hear("US.HIDDEN1");
    for (const to of ["US.HIDDEN1", contact, "US.STRANGER1"]) {
      const refused = await mine.call("POST", "/v1/messages", { body: otp(to) });
      expect(refused).toMatchObject(refusedAtTo);
      expect(refused.body.detail).toContain("phone number");
      const validated = await mine.call("POST", "/v1/messages/validate", { body: otp(to) });
      expect(validated.body).toMatchObject({ sendable: false, problems: [refusedAtTo.body] });
    }
    const fallback = { template: otp("").template };
    const text = { to: "US.HIDDEN1", type: "text", text: { body: "Hi" } };
    expect(await mine.call("POST", "/v1/messages", { body: { ...text, fallback } })).toMatchObject(refusedAtTo);
    const other = await mine.call("POST", "/v1/messages", { body: { ...bodyOf("fixed", []), to: "US.HIDDEN1" } });
    await mine.becomes(other.body.id, "accepted");
  });

  it("is sent where a number is known besides", async () => {
    const contact = await hear("US.VISIBLE1", person());
    for (const to of ["US.VISIBLE1", contact]) {
      const { status, body } = await mine.call("POST", "/v1/messages", { body: otp(to) });
      expect([status, body.errors]).toEqual([202, undefined]);
      await mine.becomes(body.id, "accepted");
    }
  });

  it("of a contact that does not exist is refused for that alone", async () => {
    const body = otp("con_01999999-0000-7000-8000-000000000000");
    const validated = await mine.call("POST", "/v1/messages/validate", { body });
    expect(validated.body.problems).toMatchObject([{ code: "reference_not_found" }]);
  });
});
