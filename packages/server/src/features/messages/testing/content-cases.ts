import { describe, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import { person, type Senders } from "./senders.ts";

/** Content that is refused: where, with which code, and with which status if it is not 400. */
type Invalid = readonly [content: unknown, pointer: string, code: string, status?: number];

/** Contents that are sent as they are, and contents that are refused before anything is accepted, at the place of their fault. */
export type ContentCases = Record<string, { valid: readonly unknown[]; invalid: readonly Invalid[] }>;

/** A person who has just written to `mine`, so that the window is open. A new one for each case: the provider paces each person. */
export async function writer({ gateway, mine }: Senders, messageId?: string): Promise<string> {
  const phone = person();
  const id = messageId ?? `wamid.opens-${phone}`;
  const callback = callbackOf(mine.account, textFrom(phone.slice(1), id, "Hello", gateway.clock.now()));
  expect((await postCallback(gateway, callback)).status).toBe(200);
  return phone;
}

/** Tests each case with what `bodyOf` puts around its content; pointers are into the body. */
export function testContents(
  senders: Senders,
  cases: ContentCases,
  bodyOf: (name: string, content: unknown) => { type: string },
): void {
  const { mine, sentTo } = senders;

  describe.each(Object.entries(cases))("%s", (name, { valid, invalid }) => {
    it("reaches the provider as it was sent, and is shown so", async () => {
      const to = await writer(senders);
      for (const content of valid) {
        const { type, ...shown } = bodyOf(name, content);
        const { status, body } = await mine.call("POST", "/v1/messages", { body: { to, type, ...shown } });
        expect([content, status, body.errors, body]).toEqual([content, 202, undefined, expect.objectContaining(shown)]);
        await mine.becomes(body.id, "accepted");
        const sent = sentTo(to).find(({ opaque }) => opaque?.includes(body.id));
        expect(sent?.request).toMatchObject({ type, ...shown });
      }
    });

    const refused = invalid.map(([content, pointer, code, status = 400]) => ({ content, pointer, code, status }));
    it.each(refused)("is refused at $pointer: $code", async ({ content, pointer, code, status }) => {
      const { status: answered, body } = await mine.call("POST", "/v1/messages", {
        body: { to: person(), ...bodyOf(name, content) },
      });
      const [first, ...more] = body.errors ?? [];
      expect([content, answered, first?.pointer, first?.code, more]).toEqual([content, status, pointer, code, []]);
    });
  });
}

/** The kinds of a schema, at any depth (`types/open-union.ts`), that no valid case has as its `type` or `sub_type`. */
export function untriedKinds(schema: object, cases: ContentCases | readonly { valid: readonly unknown[] }[]): string[] {
  const known = new Set<string>();
  const tried = new Set<unknown>();
  walk(schema, ({ if: condition }) => {
    const tags = Object.values((condition as Condition | undefined)?.properties ?? {});
    for (const name of tags.flatMap(({ enum: names }) => names)) known.add(name);
  });
  for (const { valid } of Object.values(cases))
    walk(valid, ({ type, sub_type }) => {
      tried.add(type).add(sub_type);
    });
  expect(known.size).toBeGreaterThan(10);
  return [...known].filter((name) => !tried.has(name));
}

type Condition = { properties: Record<string, { enum: string[] }> };

function walk(value: unknown, see: (fields: Record<string, unknown>) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, see);
}
