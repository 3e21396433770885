import { expect, vi } from "vitest";
import { golden } from "../../../provider/whatsapp/testing/golden.ts";
import type { Senders } from "./senders.ts";

type Definition = Parameters<Senders["gateway"]["simulator"]["addTemplate"]>[0];

/** Gives `mine` the templates that the golden requests name, and resolves when the gateway knows them. */
export async function takeGoldenTemplates({ gateway, mine }: Senders): Promise<void> {
  const definitions = golden("templates").payload as Omit<Definition, "waba_id">[]; // fixtures/provider/templates.json
  const { wabaId, token } = mine.account;
  for (const definition of definitions) gateway.simulator.addTemplate({ waba_id: wabaId, ...definition } as Definition);
  // Connecting again imports what is there now.
  const body = { provider_account_id: wabaId, access_token: token };
  expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBeLessThan(300);
  await vi.waitFor(
    async () => {
      const { body: page } = await mine.call("GET", "/v1/templates?limit=100");
      const names = new Set(page.data.map(({ name }: { name: string }) => name));
      expect(definitions.filter(({ name }) => !names.has(name))).toEqual([]);
      const ready = page.data.find(({ name }: { name: string }) => name === "order_ready");
      expect(ready.parameter_format).toBe("named");
    },
    { timeout: 15_000, interval: 25 },
  );
}
