import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStage, type Stage } from "./stage.ts";

// Below a path of a proxy, as PUBLIC_URL says: every address that the pages make begins with it.
const BASE = "/way/post";
let proxy: Server;
let stage: Stage;
let target = "";
const outside: string[] = [];

beforeAll(async () => {
  proxy = createServer((asked, answer) => {
    const path = asked.url ?? "";
    if (!path.startsWith(`${BASE}/`)) {
      outside.push(path);
      return void answer.writeHead(404).end();
    }
    const passed = request(
      target + path.slice(BASE.length),
      { method: asked.method, headers: asked.headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address() as AddressInfo;
  stage = await openStage(`http://127.0.0.1:${port}${BASE}`);
  target = stage.gateway.url;
});
afterAll(async () => {
  await stage?.stop();
  proxy.closeAllConnections();
  await new Promise((done) => proxy.close(done));
});

test("sign-in leads to the page that was asked for, links and reloads stay below the path", async () => {
  const mine = await stage.gateway.sender();
  const { body } = await mine.send("+15551230001", { reference: "order-17" });
  const { page, faults, go } = await stage.open();
  await go("/messages?reference=order-17");
  await page.getByLabel("Key", { exact: true }).fill(mine.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  const isAt = async (path: string): Promise<void> => {
    const shown = (): string => page.url().slice(new URL(page.url()).origin.length);
    await expect.poll(shown).toBe(path);
  };
  await isAt(`${BASE}/messages?reference=order-17`);
  await page.getByRole("link", { name: "+1 555 123 0001" }).click();
  await isAt(`${BASE}/messages/${body.id}`);
  await page.reload();
  await page.getByRole("figure").getByText("Your order is ready.").waitFor();
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await isAt(`${BASE}/`);
  await page.getByRole("status").getByText("Live").waitFor();
  expect({ outside, faults }).toEqual({ outside: [], faults: [] });
});
