import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PDF } from "../testing/files.ts";
import { type Answer, MediaHost } from "../testing/media-host.ts";
import { arrivingAt } from "../testing/uploading.ts";

type Json = ReturnType<typeof JSON.parse>;

const PATIENCE = { timeout: 20_000, interval: 20 };
const host = new MediaHost();
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  const PROVIDER_BASE_URL = await host.listen();
  gateway = await startGateway({ API_RATE_LIMIT: "off", PROVIDER_BASE_URL }, { providerTimeoutMs: 1_000 });
  host.target = gateway.simulator.url;
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(async () => {
  await gateway.stop();
  await host.close();
});

let people = 0;
/** A person sends a PDF; resolves with its media once the message is here. */
async function sent(of: Sender): Promise<string> {
  const { simulator } = gateway;
  const phone_number_id = of.account.providerPhoneNumberId;
  const file = await simulator.addFile({ phone_number_id, mime_type: "application/pdf" }, PDF);
  people += 1;
  const from = `+155530${people}0000`;
  const { id } = simulator.inbound({ phone_number_id, from, type: "document", document: { id: file.id } });
  return await vi.waitFor(async () => {
    const { body } = await of.call("GET", "/v1/messages?direction=inbound");
    const found = body.data.find((one: Json) => one.provider_message_id === id);
    if (!found) throw new Error("the message has not arrived");
    return found.document.id;
  }, PATIENCE);
}
const get = async (media: string, of: Sender): Promise<Json> => (await of.call("GET", `/v1/media/${media}`)).body;
async function becomes(media: string, of: Sender): Promise<void> {
  await expect.poll(async () => (await get(media, of)).status, PATIENCE).toBe("available");
}
const tried = () => mine.rows("select attempt from fetching");
const isMine: (asked: Parameters<Answer>[1]) => boolean = ({ headers }) =>
  headers.authorization === `Bearer ${mine.account.token}`;

it("a host that gives a file byte by byte is given up, and holds up no other workspace", async () => {
  let open = 0;
  host.answer = (response, asked) => {
    if (!isMine(asked)) return false;
    open += 1;
    response.writeHead(200, { "content-type": "application/pdf", "content-length": "1000" });
    const drip = setInterval(() => response.write("%"), 50);
    response.on("close", () => {
      clearInterval(drip);
      open -= 1;
    });
    return true;
  };
  const media = await sent(mine);
  await expect.poll(() => arrivingAt(gateway), PATIENCE).toHaveLength(1);
  await becomes(await sent(theirs), theirs);
  expect(await tried()).toEqual([{ attempt: 0 }]);
  await expect.poll(tried, PATIENCE).toEqual([{ attempt: 1 }]);
  await expect.poll(() => open).toBe(0);
  expect(await arrivingAt(gateway)).toEqual([]);
  expect(await get(media, mine)).toMatchObject({
    status: "pending",
    error: { code: "media_failed", retryable: true, detail: "The file came too slowly." },
  });
  host.answer = null;
  gateway.clock.advance(7_000);
  await becomes(media, mine);
});

it("a host that leads to a private address is not followed", async () => {
  let reached = 0;
  const inside = createServer((_asked, response) => {
    reached += 1;
    response.end(PDF);
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = inside.address() as AddressInfo; // it listens on TCP
    host.answer = (response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/private` }).end();
      return true;
    };
    const media = await sent(mine);
    await expect.poll(tried, PATIENCE).toEqual([{ attempt: 1 }]);
    expect(await get(media, mine)).toMatchObject({
      status: "pending",
      error: { detail: expect.stringContaining("302") },
    });
    expect(reached).toBe(0);
    host.answer = null;
    gateway.clock.advance(7_000);
    await becomes(media, mine);
  } finally {
    inside.close();
  }
});

it("where there is no room for a file, its connection to the host ends", async () => {
  let open = 0;
  host.answer = (response) => {
    open += 1;
    response.on("close", () => (open -= 1));
    response.writeHead(200, { "content-type": "application/pdf", "content-length": "50000000" });
    response.write(PDF);
    return true;
  };
  const spool = join(gateway.app.config.WAYPOST_DATA_DIR, "files/arriving");
  await rm(spool, { recursive: true });
  await writeFile(spool, ""); // no folder
  const media = await sent(mine);
  await expect.poll(tried, PATIENCE).toEqual([{ attempt: 1 }]);
  await expect.poll(() => open).toBe(0);
  expect((await get(media, mine)).error).toMatchObject({ detail: "The gateway has no room for the file." });
  await rm(spool);
  host.answer = null;
  gateway.clock.advance(40_000);
  await becomes(media, mine);
});
