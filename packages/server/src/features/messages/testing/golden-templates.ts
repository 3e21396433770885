import { expect, vi } from "vitest";
import { golden } from "../../../provider/whatsapp/testing/golden.ts";
import type { Senders } from "./senders.ts";

/** A template as `mine` has it at the provider. */
export type Definition = Omit<Parameters<Senders["gateway"]["simulator"]["addTemplate"]>[0], "waba_id">;

/** Gives `mine` the templates that the golden requests name, and resolves when the gateway knows them. */
export const takeGoldenTemplates = (senders: Senders): Promise<void> =>
  takeTemplates(senders, golden("templates").payload as Definition[]); // fixtures/provider/templates.json

/** Gives `mine` these templates, and resolves when the gateway knows them as they are. */
export async function takeTemplates(
  { gateway, mine }: Pick<Senders, "gateway" | "mine">,
  definitions: readonly Definition[],
): Promise<void> {
  const { wabaId, token } = mine.account;
  for (const definition of definitions) gateway.simulator.addTemplate({ waba_id: wabaId, ...definition });
  // Connecting again imports what is there now.
  const body = { provider_account_id: wabaId, access_token: token };
  expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBeLessThan(300);
  await vi.waitFor(
    async () => {
      const { body: page } = await mine.call("GET", "/v1/templates?limit=100");
      const known = new Map<string, { components: unknown }>(page.data.map((one: { name: string }) => [one.name, one]));
      for (const { name, components } of definitions) expect(known.get(name)?.components).toEqual(components);
    },
    { timeout: 30_000, interval: 25 },
  );
}
