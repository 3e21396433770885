import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../server/src/testing/gateway.ts";
import { waypost } from "./testing/waypost.ts";

let gateway: Gateway;
let mine: Workspace;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.workspace();
  folder = await mkdtemp(join(tmpdir(), "waypost-cli-"));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv("WAYPOST_API_KEY", mine.key);
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
});
afterEach(() => vi.unstubAllEnvs());

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("import", () => {
  test("uploads a file and follows it to its end", async () => {
    const path = file("people.csv", "Mobile,name\n+15553330001,Ana\n+15553330002,Ben\n");
    const { code, out, err } = await waypost("import", path, "--mapping", '{"Mobile":"phone"}', "--follow", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ status: "completed", progress: { rows: 2, created: 2, failed: 0 } });
  });

  test("names the lines of refused rows, with exit code 1", async () => {
    const path = file("people.ndjson", '{"phone":"+15553330003"}\n{"phone":"1"}\n');
    const { code, out, err } = await waypost("import", path, "--follow", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ format: "ndjson", progress: { created: 1, failed: 1 } });
    expect(err).toMatch(/^waypost: line 2, phone: The number must begin[^\n]+\n$/);
  });

  test("a file that the gateway refuses: one line, exit code 1", async () => {
    const { code, err } = await waypost("import", file("odd.csv", "phone,shoe size\n"));
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: invalid_request: [^\n]*`shoe size`[^\n]+\n$/);
    expect(err).toContain(`--mapping '{"shoe size":"attributes.shoe_size"}'`);
  });

  test.each([
    ["no such file", ["import", "/nowhere.csv"]],
    ["an unknown kind", ["import", "people.xlsx"]],
    ["no mapping", ["import", "people.csv", "--mapping", "[]"]],
    ["an unknown format", ["export", "--format", "xml"]],
  ])("%s: one line, exit code 2", async (_name, args) => {
    const { code, err } = await waypost(...args.map((one) => (one === "people.csv" ? join(folder, one) : one)));
    expect(code).toBe(2);
    expect(err).toMatch(/^waypost: [^\n]+\n$/);
  });
});

describe("export", () => {
  test("writes a file that can be imported, or to standard output", async () => {
    const path = join(folder, "out.csv");
    expect(await waypost("export", "--out", path)).toMatchObject({ code: 0, out: "", err: "" });
    expect(readFileSync(path, "utf8").split("\r\n")[0]).toContain("id,phone,name,");
    const again = await waypost("import", path, "--follow", "--json");
    expect(JSON.parse(again.out)).toMatchObject({ progress: { created: 0, updated: 0, failed: 0 } });
    const one = await waypost("export", "--format", "ndjson", "--phone", "+15553330001");
    expect(JSON.parse(one.out)).toMatchObject({ phone: "+15553330001", name: "Ana" });
    const found = await waypost("export", "--format", "ndjson", "--search", "ana", "--consent", "unknown");
    expect(JSON.parse(found.out)).toMatchObject({ phone: "+15553330001" });
    expect(await waypost("export", "--format", "ndjson", "--tag", "nobody has it")).toMatchObject({ code: 0, out: "" });
    expect((await waypost("export", "--consent", "perhaps")).code).toBe(2);
  });

  test("leaves no file of an export that breaks off", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write("id,phone\r\n", () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const path = join(folder, "half.csv");
    const { code, err } = await waypost("export", "--out", path, "--base-url", `http://127.0.0.1:${port}`);
    server.close();
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: [^\n]*broke off[^\n]*\n$/);
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });
});
