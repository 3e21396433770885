import { describe, expect, it } from "vitest";
import { placeOf } from "./place.ts";

const LOCAL = { localAddress: "127.0.0.1", localPort: 8080 };
const OURS = ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"];
const ON_LOOPBACK = { cookie: "waypost_8080", secure: false, origins: OURS };
const SECURE = { cookie: "__Host-waypost", secure: true };
const UNSET = { PUBLIC_URL: null, TRUST_PROXY: null };

describe("the console has an address", () => {
  it.each([
    ["on this machine", { host: "127.0.0.1:8080" }, LOCAL, {}, ON_LOOPBACK],
    ["by its name", { host: "localhost:8080" }, { ...LOCAL, localAddress: "::1" }, {}, ON_LOOPBACK],
    ["by a mapped address", { host: "127.0.0.1" }, { ...LOCAL, localAddress: "::ffff:127.0.0.1" }, {}, ON_LOOPBACK],
    [
      "behind https",
      { host: "x" },
      LOCAL,
      { PUBLIC_URL: "https://w.example/gate" },
      { ...SECURE, origins: ["https://w.example"] },
    ],
    [
      "that is said to be on this machine",
      { host: "x" },
      { ...LOCAL, localAddress: "172.17.0.2" },
      { PUBLIC_URL: "http://localhost:80" },
      { ...ON_LOOPBACK, origins: ["http://localhost"] },
    ],
    [
      "as a trusted proxy says",
      { host: "x", "x-forwarded-proto": "https" },
      LOCAL,
      { TRUST_PROXY: true },
      { ...SECURE, origins: [] },
    ],
  ])("%s", (_name, headers, socket, config, expected) => {
    expect(placeOf({ headers, socket }, { ...UNSET, ...config })).toEqual(expected);
  });
});

describe("the console has none", () => {
  it.each([
    ["by a foreign name that leads here", { host: "evil.example:8080" }, LOCAL, {}],
    ["by a name that begins like ours", { host: "localhost.evil.example" }, LOCAL, {}],
    ["without a name", {}, LOCAL, {}],
    ["from another machine", { host: "127.0.0.1:8080" }, { ...LOCAL, localAddress: "192.0.2.7" }, {}],
    ["behind http", { host: "127.0.0.1:8080" }, LOCAL, { PUBLIC_URL: "http://w.example" }],
    ["as a proxy says that is not trusted", { host: "x", "x-forwarded-proto": "https" }, LOCAL, {}],
  ])("%s", (_name, headers, socket, config) => {
    expect(placeOf({ headers, socket }, { ...UNSET, ...config })).toBeNull();
  });
});
