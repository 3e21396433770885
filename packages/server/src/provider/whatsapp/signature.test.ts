import { describe, expect, test } from "vitest";
import { appSecretProof, isSignature, sameText, verifySignature } from "./signature.ts";
import { golden, goldenNames } from "./testing/golden.ts";

describe("X-Hub-Signature-256", () => {
  const vectors = goldenNames("vector-").filter((name) => golden(name).signature !== undefined);

  test.each(vectors)("%s fits its raw bytes and nothing else", (name) => {
    const { raw, app_secret, signature } = golden(name);
    const bytes = Buffer.from(raw!);
    expect(verifySignature([app_secret!], bytes, signature)).toBe(true);
    expect(verifySignature([app_secret!], Buffer.concat([bytes, Buffer.from(" ")]), signature)).toBe(false);
    expect(verifySignature(["another"], bytes, signature)).toBe(false);
  });

  test("writing the JSON again breaks the signature of escaped text", () => {
    const { raw, app_secret, signature } = golden("vector-signature-escaped");
    const again = Buffer.from(JSON.stringify(JSON.parse(raw!)));
    expect(verifySignature([app_secret!], again, signature)).toBe(false);
  });

  test("during a rotation any secret fits, wherever it stands", () => {
    const { raw, app_secret, signature } = golden("vector-signature");
    const bytes = Buffer.from(raw!);
    expect(isSignature(signature)).toBe(true);
    expect(verifySignature(["new", app_secret!], bytes, signature)).toBe(true);
    expect(verifySignature([app_secret!, "old"], bytes, signature)).toBe(true);
    expect(verifySignature([], bytes, signature)).toBe(false);
  });

  test.each([
    undefined,
    "",
    "sha256=",
    "sha256=zz",
    `sha1=${"0".repeat(64)}`,
    `sha256=${"0".repeat(63)}`,
    "0".repeat(64),
  ])("the header %s is refused", (header) => {
    expect(isSignature(header)).toBe(false);
    expect(verifySignature(["demo-app-secret"], Buffer.from("{}"), header)).toBe(false);
  });
});

test("appsecret_proof", () => {
  const { app_secret, access_token, proof } = golden("vector-appsecret-proof");
  expect(appSecretProof(app_secret!, access_token!)).toBe(proof);
});

test("texts of different length are compared too", () => {
  expect(sameText("a", "a")).toBe(true);
  expect(sameText("a", "ab")).toBe(false);
});
