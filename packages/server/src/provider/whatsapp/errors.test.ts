import { describe, expect, test } from "vitest";
import { ruleOf } from "../error-table.ts";
import { MESSAGE_ERRORS } from "../message-errors.ts";
import type { ErrorClass } from "../provider.ts";
import { graphError, isAmbiguous, statusRefusal } from "./errors.ts";
import { golden, goldenNames } from "./testing/golden.ts";

type Row = { code: number; http_status: number | null; class: string };

/** The letters of the documentation, as the port's classes. */
const CLASSES: Record<string, ErrorClass[]> = {
  A: ["token", "locked", "access", "asset"],
  U: ["recipient"],
  T: ["throttle_number", "transient"],
  "T long": ["throttle_long", "spam"],
  "T pair": ["throttle_pair"],
  R: ["transient"],
  "R once": ["media"],
  P: ["permanent"],
  "P/R": ["permanent"],
  D: ["later"],
  W: ["window"],
};

describe("the code table", () => {
  const rows = golden("error-codes").payload as Row[];

  test.each(rows)("$code is of class $class", ({ code, http_status, class: letter }) => {
    const error = graphError({ error: { message: `(#${code}) x`, code } }, http_status ?? 400, "EAATEST");
    expect(CLASSES[letter]).toContain(error?.class);
    expect(Object.keys(MESSAGE_ERRORS)).toContain(error?.code);
  });

  test.each(rows.filter((row) => row.class === "R"))(
    "$code is no definite no only where the message may have left",
    (row) => {
      const error = graphError({ error: { code: row.code } }, 500, "EAATEST");
      expect(isAmbiguous(error!)).toBe([1, 2, 131000].includes(row.code));
      expect(isAmbiguous(graphError({ error: { code: row.code } }, 400, "EAATEST")!)).toBe(false);
    },
  );

  test.each(goldenNames("response-error-"))("%s is a Graph body with texts", (name) => {
    const { payload, http_status } = golden(name);
    const error = graphError(payload, http_status!, "EAATEST");
    expect(error?.provider?.title).not.toMatch(/^\(#|^$/);
    expect(error?.bytesSent).toBe(true);
  });
});

test("unknown codes are permanent unless the answer hints that it passes", () => {
  expect(ruleOf(987654, { httpStatus: 400, isTransient: false }).class).toBe("permanent");
  expect(ruleOf(987654, { httpStatus: null, isTransient: false }).class).toBe("permanent");
  expect(ruleOf(987654, { httpStatus: 500, isTransient: false }).class).toBe("transient");
  expect(ruleOf(987654, { httpStatus: 400, isTransient: true }).class).toBe("transient");
});

test("the HTTP status does not decide when there is a code", () => {
  const classes = ["response-error-throughput", "response-error-throughput-429"].map((name) => {
    const { payload, http_status } = golden(name);
    return graphError(payload, http_status!, "EAATEST")?.class;
  });
  expect(classes).toEqual(["throttle_number", "throttle_number"]);
});

test("every part of a full error is kept", () => {
  expect(graphError(golden("response-error-throughput").payload, 400, "EAATEST")).toEqual({
    class: "throttle_number",
    code: "rate_limited",
    bytesSent: true,
    provider: {
      code: 130429,
      subcode: 2494055,
      title: "Rate limit hit",
      details: "Throughput reached.",
      traceId: "AsimTrace01",
    },
    httpStatus: 400,
    detail: "Throughput reached.",
  });
});

test("error_data as plain text is the details", () => {
  const error = graphError(golden("response-error-details-string").payload, 400, "EAATEST");
  expect(error?.provider).toMatchObject({ title: "Too long", details: "name is too long", subcode: 2388040 });
});

test("only code 190 says that the token is dead", () => {
  expect(graphError(golden("response-error-token").payload, 401, "EAATEST")?.class).toBe("token");
  for (const code of [0, 10, 102, 200, 299, 131005]) {
    expect(graphError({ error: { code } }, 401, "EAATEST")?.class).toBe("access");
  }
});

test("tokens quoted by the provider are struck out, endless texts cut", () => {
  const message = "Malformed access token secret-1 and EAAGm0PX4ZCpsBA";
  const error = graphError(
    { error: { code: 190, message, error_data: { details: "x".repeat(5_000) } } },
    401,
    "secret-1",
  );
  expect(error?.provider?.title).toBe("Malformed access token [token] and [token]");
  expect(error?.provider?.details).toHaveLength(1_000);
});

test.each([null, undefined, 7, "x", [], {}, { error: null }, { error: "x" }, { error: {} }, { error: { code: "x" } }])(
  "%j is no Graph body",
  (body) => {
    expect(graphError(body, 500, "EAATEST")).toBeNull();
  },
);

test("without a Graph body the HTTP status decides, and only a 4xx proves a refusal", () => {
  const classOf = (status: number): ErrorClass | undefined => statusRefusal(status)?.class;
  expect([400, 404, 413].map(classOf)).toEqual(["permanent", "permanent", "permanent"]);
  expect([401, 403, 429].map(classOf)).toEqual(["access", "access", "throttle_number"]);
  expect([200, 302, 408, 500, 502, 503].map(classOf)).toEqual(Array.from({ length: 6 }));
});

describe("HTTP 429", () => {
  const ruleAt429 = (code: number) => ruleOf(code, { httpStatus: 429, isTransient: false });

  test.each([987654, 131099, 100, 135000, 131000, 2])("slows the number and retries with code %i", (code) => {
    expect(ruleAt429(code)).toEqual({ class: "throttle_number", code: "rate_limited" });
    expect(graphError({ error: { code } }, 429, "EAATEST")).toMatchObject({ class: "throttle_number" });
  });

  test.each([190, 368, 131026, 131031, 131047, 131048, 131049, 131056, 131064, 132069])(
    "changes nothing of what code %i says",
    (code) => {
      expect(ruleAt429(code)).toEqual(ruleOf(code, { httpStatus: 400, isTransient: false }));
    },
  );
});
