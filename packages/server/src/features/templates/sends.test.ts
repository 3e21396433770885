import { beforeAll, describe, expect, it } from "vitest";
import { takeTemplates } from "../messages/testing/golden-templates.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { DEFINITIONS } from "./testing/definitions.ts";
import { FITTING } from "./testing/fitting.ts";
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
