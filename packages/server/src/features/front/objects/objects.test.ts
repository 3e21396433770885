import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { expectGraphError, ofAccount, ofNumber, VERSION } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;

beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "20" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

// A picture of one pixel.
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** As clients write one: with fields that are the provider's own. */
function form(): { body: Buffer; headers: Record<string, string> } {
  const field = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
  return {
    body: Buffer.concat([
      Buffer.from(field("messaging_product", "whatsapp") + field("type", "image/png") + file),
      PNG,
      Buffer.from(`\r\n${field("ttl_minutes", "5")}--x--\r\n`),
    ]),
    headers: { "content-type": "multipart/form-data; boundary=x" },
  };
}

describe("media", () => {
  test("is uploaded, read by an address without a key, sent and deleted", async () => {
    const uploaded = await mine.call("POST", ofNumber(mine, "/media?messaging_product=whatsapp"), form());
    expect([uploaded.status, uploaded.text]).toEqual([200, expect.stringMatching(/^\{"id":"\d{37,39}"\}$/)]);
    const { id } = uploaded.body;
    const path = `/${VERSION}/${id}?phone_number_id=${mine.account.providerPhoneNumberId}`;
    const { body: found } = await mine.call("GET", path);
    expect(found).toEqual({
      messaging_product: "whatsapp",
      id,
      url: expect.stringContaining("/media/"),
      download_url: found.url,
      mime_type: "image/png",
      sha256: createHash("sha256").update(PNG).digest("hex"),
      file_size: String(PNG.length),
    });
    const bytes = await fetch(gateway.url + new URL(found.url).pathname);
    expect(Buffer.from(await bytes.arrayBuffer()).equals(PNG)).toBe(true);

    const to = "+15557000001";
    await mine.inbound(to);
    const message = { messaging_product: "whatsapp", to, type: "image", image: { id, caption: "One" } };
    const sent = await mine.call("POST", ofNumber(mine, "/messages"), { body: message });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("wamid.")]);

    for (const method of ["GET", "DELETE"] as const) expectGraphError(await theirs.call(method, path), 400, 100, 33);
    expect((await mine.call("DELETE", path)).body).toEqual({ success: true });
    expectGraphError(await mine.call("GET", path), 400, 100, 33);
  });

  test("that cannot be sent is refused in the envelope", async () => {
    const broken = { body: "--x--\r\n", headers: form().headers };
    expectGraphError(await mine.call("POST", ofNumber(mine, "/media"), broken), 400, 100);
    expectGraphError(await mine.call("POST", ofNumber(mine, "/media"), { body: {} }), 415, 100);
    expectGraphError(await mine.call("POST", ofNumber(theirs, "/media"), form()), 400, 100, 33);
  });
});

describe("numbers and accounts", () => {
  test("a number with the fields that are asked for", async () => {
    const { body } = await mine.call("GET", ofNumber(mine));
    expect(body).toMatchObject({
      id: mine.account.providerPhoneNumberId,
      display_phone_number: mine.account.phone,
      quality_rating: expect.any(String),
      throughput: { level: "STANDARD" },
      platform_type: "CLOUD_API",
    });
    const some = await mine.call(
      "GET",
      ofNumber(mine, "?fields=display_phone_number,conversational_automation{id},nothing"),
    );
    expect(some.body).toEqual({ id: mine.account.providerPhoneNumberId, display_phone_number: mine.account.phone });
    expectGraphError(await mine.call("GET", ofNumber(theirs)), 400, 100, 33);
  });

  test("an account, its numbers, and the accounts of a portfolio", async () => {
    const { body: account } = await mine.call("GET", ofAccount(mine, "/?fields=id,name,timezone_id"));
    expect(account).toEqual({
      id: mine.account.wabaId,
      name: expect.any(String),
      timezone_id: expect.stringMatching(/^\d+$/),
    });
    const { body: numbers } = await mine.call("GET", ofAccount(mine, "/phone_numbers"));
    expect(numbers.data).toEqual([expect.objectContaining({ id: mine.account.providerPhoneNumberId })]);
    expectGraphError(await mine.call("GET", ofAccount(theirs, "/phone_numbers")), 400, 100, 33);
    expectGraphError(await mine.call("GET", ofAccount(theirs)), 400, 100, 33);
    const { body: own } = await mine.call("GET", "/v1/business-accounts");
    const portfolio = own.data[0].portfolio_id;
    const owned = await mine.call("GET", `/${VERSION}/${portfolio}/owned_whatsapp_business_accounts`);
    expect(owned.body.data).toEqual([expect.objectContaining({ id: mine.account.wabaId })]);
    const named = await mine.call("GET", ofAccount(mine, "?fields=owner_business_info"));
    expect(named.body.owner_business_info).toEqual({ id: portfolio, name: expect.any(String) });
    // Some clients know no `paging` without cursors, and some page by these alone.
    const { after } = numbers.paging.cursors;
    const { body: behind } = await mine.call("GET", ofAccount(mine, `/phone_numbers?after=${after}`));
    expect(behind).toEqual({ data: [] });
    expectGraphError(await mine.call("GET", `/${VERSION}/12/client_whatsapp_business_accounts`), 400, 100, 33);
  });

  test("the business profile", async () => {
    const path = ofNumber(mine, "/whatsapp_business_profile");
    const change = { messaging_product: "whatsapp", about: "Open", websites: ["https://shop.example"], email: null };
    expect((await mine.call("POST", path, { body: change })).body).toEqual({ success: true });
    const { body } = await mine.call("GET", `${path}?fields=about,websites,vertical`);
    expect(body.data).toEqual([
      { messaging_product: "whatsapp", about: "Open", websites: ["https://shop.example"], vertical: "UNDEFINED" },
    ]);
    expectGraphError(await mine.call("POST", path, { body: { vertical: "NOTHING" } }), 400, 100);
    expectGraphError(await mine.call("GET", ofNumber(theirs, "/whatsapp_business_profile")), 400, 100, 33);
  });

  test("whose key it is", async () => {
    const { body } = await mine.call("GET", `/${VERSION}/me?fields=id,name`);
    expect(body).toEqual({ id: expect.stringMatching(/^\d{37,39}$/), name: expect.any(String) });
  });
});

test("an id of nothing, or that no call takes, is refused", async () => {
  for (const id of ["1", "9".repeat(60), "abc", "..%2f..", "%00", mine.phoneNumberId])
    for (const method of ["GET", "POST", "DELETE"] as const) {
      const reply = await mine.call(method, `/${VERSION}/${id}`, method === "POST" ? { body: {} } : {});
      expect([id, method, reply.status, reply.body?.error?.code]).toEqual([id, method, 400, 100]);
    }
  expectGraphError(await mine.call("DELETE", ofNumber(mine)), 400, 100, 33);
});
