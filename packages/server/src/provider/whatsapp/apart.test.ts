import { expect, test } from "vitest";
import { httpAnswer } from "./testing/hostile.ts";
import { request, sendingTools, summary } from "./testing/sending.ts";

const { peer, whatsapp } = sendingTools();

const GIVEN_UP_MS = 2_000;

/** A provider that never answers anything but sends. */
const silent = () =>
  peer((socket, text) => {
    if (text.includes("biz_opaque")) socket.write(httpAnswer(200, JSON.stringify({ messages: [{ id: "wamid.1" }] })));
  });

const profileOf = (account: string, accessToken = "EAADEMO") => ({
  accessToken,
  providerAccountId: account,
  providerPhoneNumberId: `${account}0`,
});

test("no send waits for a socket that other calls have", async () => {
  const server = await silent();
  const provider = whatsapp(server.url, GIVEN_UP_MS);
  for (const account of ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
    for (let call = 0; call < 64; call++) void provider.getProfile(profileOf(account));
  await server.received(256);
  expect(summary(await provider.send(request))).toBe("accepted");
});

test("an account has a share of those sockets for each token, and another one goes on", async () => {
  const server = await silent();
  const provider = whatsapp(server.url, GIVEN_UP_MS);
  const calls = Array.from({ length: 64 }, () => provider.getProfile(profileOf("1")));
  expect(await provider.getProfile(profileOf("1"))).toMatchObject({
    ok: false,
    error: { code: "rate_limited", bytesSent: false, retryAfterMs: 1_000 },
  });
  void provider.getProfile(profileOf("2"));
  void provider.getProfile(profileOf("1", "EAAOTHER"));
  await server.received(66);
  await Promise.all(calls);
  // Those that have failed count no more.
  expect(await provider.getProfile(profileOf("1"))).toMatchObject({ error: { code: "provider_error" } });
});
