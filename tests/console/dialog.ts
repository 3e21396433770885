import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** The dialog returns to an address, which the gateway must know before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo; // bound to a TCP port just now
  await new Promise((done) => server.close(done));
  return port;
}

/** Goes through the provider's dialog up to its last button, with this account and no other of its business. */
export async function choose(stage: Stage, dialog: Page, wabaId: string): Promise<void> {
  await dialog.getByRole("heading", { name: "Choose a business" }).waitFor();
  const { business_id } = stage.gateway.simulator.accounts().find(({ waba_id }) => waba_id === wabaId)!;
  await dialog.getByRole("radio", { name: `Portfolio ${business_id}` }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("heading", { name: "Choose an account and a number" }).waitFor();
  for (const box of await dialog.getByRole("checkbox").all()) await box.uncheck();
  await dialog.getByRole("checkbox", { name: wabaId }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("button", { name: "Allow" }).waitFor();
}

/** Allows it. */
export async function allow(stage: Stage, dialog: Page, wabaId: string): Promise<void> {
  await choose(stage, dialog, wabaId);
  await dialog.getByRole("button", { name: "Allow" }).click();
}
