import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

describe("settings", () => {
  it("have the defaults of the contract", () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: "127.0.0.1",
      PUBLIC_URL: null,
      TRUST_PROXY: null,
      DATABASE_URL: null,
      API_RATE_LIMIT: 1_000,
      PROVIDER_API_VERSION: "v26.0",
      RETENTION_DAYS: { messages: 365, events: 30, deliveries: 30, audit: 365, callbacks: 30, media: 30 },
      LOG_LEVEL: "info",
    });
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it.each([
    ["TRUST_PROXY", "off", null],
    ["TRUST_PROXY", "10.0.0.1, fd00::/8,192.168.0.0/16", ["10.0.0.1", "fd00::/8", "192.168.0.0/16"]],
    ["PUBLIC_URL", "https://gateway.example.com/", "https://gateway.example.com"],
    ["HOST", "::", "::"],
    ["HOST", "gateway.internal", "gateway.internal"],
    ["API_RATE_LIMIT", "off", null],
    ["EGRESS_ALLOW_CIDRS", "127.0.0.0/8,::1/128", ["127.0.0.0/8", "::1/128"]],
    ["EGRESS_ALLOW_PORTS", "8080, 9000", [8080, 9000]],
    ["PROVIDER_APP_SECRET", "one, two", ["one", "two"]],
    [
      "DATABASE_URL",
      "postgresql://waypost:secret@localhost/waypost?host=/run/postgres",
      "postgresql://waypost:secret@localhost/waypost?host=/run/postgres",
    ],
    ["PORT", "", 8080],
    ["MEDIA_STORE", "", { kind: "directory", path: null }],
    ["MEDIA_STORE", "file:", { kind: "directory", path: null }],
    ["MEDIA_STORE", "file:///mnt/media", { kind: "directory", path: "/mnt/media" }],
    ["MEDIA_STORE", "file:/mnt/media", { kind: "directory", path: "/mnt/media" }],
  ])("%s=%s is understood", (name, given, value) => {
    expect(readConfig({ [name]: given })[name as keyof ReturnType<typeof readConfig>]).toEqual(value);
  });

  it("keeps the classes of RETENTION_DAYS that are not named", () => {
    const { RETENTION_DAYS } = readConfig({ RETENTION_DAYS: "messages=90, events=7" });
    expect(RETENTION_DAYS).toMatchObject({ messages: 90, events: 7, audit: 365 });
  });

  it("knows a bucket, which needs a key", () => {
    const key = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const of = (MEDIA_STORE: string) => readConfig({ ...key, MEDIA_STORE }).MEDIA_STORE;
    expect(of("s3://media.example/one/two")).toEqual({ kind: "s3", bucket: "media.example", prefix: "one/two" });
    expect(of("s3://media/")).toEqual({ kind: "s3", bucket: "media", prefix: "" });
    expect(() => readConfig({ MEDIA_STORE: "s3://media", AWS_ACCESS_KEY_ID: "a" })).toThrow(
      /^AWS_SECRET_ACCESS_KEY is missing: MEDIA_STORE names a bucket/,
    );
  });

  it("keeps callbacks at least as long as the events that are made of them", () => {
    expect(readConfig({ RETENTION_DAYS: "callbacks=3,events=7" }).RETENTION_DAYS).toMatchObject({ callbacks: 7 });
    expect(readConfig({ RETENTION_DAYS: "callbacks=9,events=7" }).RETENTION_DAYS).toMatchObject({ callbacks: 9 });
  });

  it.each([
    ["PORT", "80a"],
    ["MEDIA_STORE", "s3://Media"],
    ["MEDIA_STORE", "s3://media/../other"],
    ["MEDIA_STORE", "file:media"],
    ["MEDIA_STORE", "/mnt/media"],
    ["AWS_REGION", "us east"],
    ["PORT", "65536"],
    ["HOST", "127.0.0.1:8080"],
    ["HOST", "http://localhost"],
    ["PUBLIC_URL", "gateway.example.com"],
    ["PUBLIC_URL", "https://gateway.example.com/?a=1"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", "10.0.0.1, 300.0.0.1"],
    ["DATABASE_URL", "mysql://localhost/waypost"],
    ["DATABASE_DIRECT_URL", "localhost:5432"],
    ["WAYPOST_OPERATOR_KEY", "short"],
    ["WAYPOST_OPERATOR_KEY", "with a space in the middle"],
    ["WAYPOST_ENCRYPTION_KEY", Buffer.alloc(31).toString("base64")],
    ["WAYPOST_ENCRYPTION_KEY", `${Buffer.alloc(32).toString("base64")}!`],
    ["WAYPOST_ENCRYPTION_KEY", ","],
    ["PROVIDER_BASE_URL", "ftp://provider.example.com"],
    ["PROVIDER_API_VERSION", "26"],
    ["PROVIDER_APP_SECRET", " , "],
    ["API_RATE_LIMIT", "0"],
    ["API_RATE_LIMIT", "many"],
    ["EGRESS_ALLOW_CIDRS", "999.0.0.0/8"],
    ["EGRESS_ALLOW_PORTS", "0"],
    ["RETENTION_DAYS", "messages=6"],
    ["RETENTION_DAYS", "events=45"],
    ["RETENTION_DAYS", "events"],
    ["RETENTION_DAYS", "toString=30"],
    ["RETENTION_DAYS", "events=7,events=8"],
    ["LOG_LEVEL", "verbose"],
    ["WAYPOST_LEASE_SECONDS", "0"],
  ])("%s=%s stops the start with one line that names it", (name, given) => {
    const fault = faultOf({ [name]: given });
    expect(fault.split("\n")).toHaveLength(1);
    expect(fault).toMatch(new RegExp(`^${name} needs .+ \\(.+\\)$`));
  });

  it.each([
    ["WAYPOST_OPERATOR_KEY", "with a space in the middle"],
    ["WAYPOST_ENCRYPTION_KEY", Buffer.alloc(31, 7).toString("base64")],
    ["DATABASE_URL", "mysql://login:password@localhost/waypost"],
  ])("the line about %s does not repeat its secret", (name, given) => {
    expect(faultOf({ [name]: given })).not.toContain(given);
  });

  it("reports all faults at once, one line each", () => {
    expect(
      faultOf({ PORT: "x", LOG_LEVEL: "x" })
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual(["PORT", "LOG_LEVEL"]);
  });
});

function faultOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the settings were understood");
}
