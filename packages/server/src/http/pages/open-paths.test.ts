import { describe, expect, test } from "vitest";
import { expectProblem, useEcho } from "../testing/echo.ts";
import { converse } from "../testing/socket.ts";

const { ask, later, server } = useEcho();

describe("the open paths", () => {
  test("probes", async () => {
    expect(await ask("/healthz", { key: null })).toMatchObject({
      status: 200,
      body: { status: "ok", version: "0.2.0" },
    });
    expect(await ask("/readyz", { key: null })).toMatchObject({
      status: 503,
      body: { status: "not_ready", checks: [{ name: "database", ok: false }] },
    });
  });

  test("raw routes get bytes of any type", async () => {
    expect(
      (
        await ask("/raw?a=1&a=2", {
          method: "POST",
          key: null,
          body: Buffer.from([0, 255]),
          headers: { "content-type": "x/y" },
        })
      ).text,
    ).toBe("2 1");
  });

  test("an unknown open path is 404 and not audited", async () => {
    expectProblem(await ask("/wp-admin.php", { key: null }), 404, "not_found");
    expect(later).toEqual([]);
  });

  test("the reference page calls this server alone", async () => {
    for (const path of ["/docs", "/docs/try"]) {
      const page = await ask(path, { key: null });
      expect(page.headers["content-security-policy"]).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      );
      expect(page.text).not.toMatch(/https?:/);
    }
    const script = await ask("/docs/try/library.js", { key: null });
    expect([script.status, script.headers["content-encoding"]]).toEqual([200, "gzip"]);
  });

  test("HTTP that is none gets a problem, and the socket closes", async () => {
    const { port } = await server.http.listen();
    const text = await converse(port, "GET / HTTP/1.1\r\nbad header\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"code":"invalid_request"');
  });
});
