import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { argumentsOf, type Ran, spawnWaypost, waypost } from "./testing/waypost.ts";

// What the command line does with secrets in the wrong place, files of others, programs that are no gateway, and readers that leave.
let folder: string;
let server: Server | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "waypost-cli-"));
  for (const name of ["WAYPOST_OPERATOR_KEY", "WAYPOST_API_KEY", "WAYPOST_BASE_URL", "WAYPOST_DATA_DIR", "SUDO_UID"])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = null;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** An address that answers so. */
async function answering(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function expectLine({ code, out, err }: Ran, expected: number): void {
  expect({ code, out }).toEqual({ code: expected, out: "" });
  expect(err).toMatch(/^waypost: [^\n]+\n$/);
}

const KEY = `wp_live_${"a".repeat(12)}_${"b".repeat(49)}`;

describe("secrets", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["a key where the address belongs", ["messages", "list"], { WAYPOST_BASE_URL: KEY, WAYPOST_API_KEY: "x" }],
    [
      "an address with a password",
      ["messages", "list"],
      { WAYPOST_BASE_URL: `http://a:${KEY}@h/`, WAYPOST_API_KEY: "x" },
    ],
    ["a key as an option", ["send", `--api-key=${KEY}`], {}],
    ["a key as the value of an option", ["send", "--api-key", KEY], {}],
    ["a key as a command", [KEY], {}],
    ["a key as an id", ["key", "revoke", KEY], { WAYPOST_BASE_URL: "http://127.0.0.1:1", WAYPOST_API_KEY: "x" }],
    ["a receiver with a password", ["listen", `a:${KEY}@127.0.0.1:3000`], {}],
    ["a simulator with a password", ["trigger", "sent", "--simulator-url", `a:${KEY}@127.0.0.1`], {}],
  ])("%s is not repeated", async (_name, args, environment) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const ran = await waypost(...args);
    expectLine(ran, 2);
    expect(ran.err).not.toContain("bbbb");
  });
});

describe("dev.json", () => {
  const write = (baseUrl = "http://127.0.0.1:1"): void => {
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/dev.json"), JSON.stringify({ base_url: baseUrl, api_key: "wp_live_dev" }));
  };
  beforeEach(() => {
    mkdirSync(join(folder, "deep"));
    vi.spyOn(process, "cwd").mockReturnValue(join(folder, "deep"));
  });

  test("of another user, in a folder above, is not taken: it would get the key and what is sent", async () => {
    write();
    vi.stubEnv("WAYPOST_API_KEY", KEY);
    const uid = process.getuid?.() ?? 0;
    vi.spyOn(process, "getuid").mockReturnValue(uid + 1);
    const ran = await waypost("messages", "list");
    expectLine(ran, 2);
    expect(ran.err).toContain("where is the gateway?");
    // Not by root either, but for the user who calls sudo.
    vi.mocked(process.getuid!).mockReturnValue(0);
    vi.stubEnv("SUDO_UID", String(uid));
    expect((await waypost("messages", "list")).err).toContain("http://127.0.0.1:1 of ");
  });

  test("that cannot be looked at is none", async () => {
    symlinkSync("data", join(folder, "data"));
    expectLine(await waypost("messages", "list"), 2);
  });

  test("is taken where the variables are there but empty; with a key of its own, the line says whose address it is", async () => {
    write();
    for (const name of ["WAYPOST_BASE_URL", "WAYPOST_API_KEY", "WAYPOST_DATA_DIR"]) vi.stubEnv(name, "");
    const found = await waypost("messages", "list");
    expect(found.err).toMatch(/^waypost: at http:\/\/127\.0\.0\.1:1 with the API key of \.\.\/data\/dev\.json\n/);
    vi.stubEnv("WAYPOST_API_KEY", KEY);
    const own = await waypost("messages", "list");
    expect(own.err).toMatch(/^waypost: at http:\/\/127\.0\.0\.1:1 of \.\.\/data\/dev\.json with WAYPOST_API_KEY\n/);
    expect(own.err).not.toContain("bbbb");
  });

  test("whose control is another program by now is one line", async () => {
    const url = await answering((_request, response) => void response.end("<html>"));
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/dev.json"), JSON.stringify({ control_url: url, operator_key: "o".repeat(20) }));
    const ran = await waypost("clock");
    expectLine(ran, 1);
    expect(ran.err).toContain("is it running?");
  });
});

describe("what is no gateway", () => {
  beforeEach(() => vi.stubEnv("WAYPOST_API_KEY", KEY));

  test("gets no stack printed, and its texts command no terminal", async () => {
    const detail = "one\ntwo\u001b[2J\u009b31m\u202ethree";
    const problem = { type: "about:blank", title: "t", status: 403, code: "forbidden", detail, retryable: false };
    const url = await answering((_request, response) => {
      response.writeHead(403, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ ...problem, request_id: "req_1" }));
    });
    for (const line of ["messages list", "console", "audit activity --format csv"]) {
      const ran = await waypost(...line.split(" "), "--base-url", url);
      expectLine(ran, 1);
      expect(ran.err.trimEnd()).not.toMatch(/\p{Cc}|\u202e/u);
      expect(ran.err).toContain("one two");
    }
  });

  test.each([200, 404, 500])("that answers %s with a page is one line", async (status) => {
    const url = await answering((_request, response) => {
      response.writeHead(status, { "content-type": "text/html" });
      response.end("<html></html>");
    });
    for (const line of ["messages list", "console", "audit activity --format csv", "export"])
      expectLine(await waypost(...line.split(" "), "--base-url", url), 1);
  });
});

describe("files", () => {
  const reading = { WAYPOST_BASE_URL: "http://127.0.0.1:1", WAYPOST_API_KEY: "wp_live_a" };
  beforeEach(() => {
    for (const [name, value] of Object.entries(reading)) vi.stubEnv(name, value);
  });

  test.skipIf(process.getuid?.() === 0)("that cannot be read are named", async () => {
    const path = join(folder, "people.csv");
    writeFileSync(path, "phone\n");
    chmodSync(path, 0o000);
    const ran = await waypost("import", path);
    expectLine(ran, 2);
    expect(ran.err).toContain(path);
  });

  test("that cannot be written are named, with exit code 2", async () => {
    const url = await answering((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.end("id,phone\r\n");
    });
    for (const out of [join(folder, "nowhere/people.csv"), folder]) {
      const ran = await waypost("export", "--out", out, "--base-url", url);
      expectLine(ran, 2);
      expect(ran.err).toContain(out);
    }
  });

  test("that are half written are gone after Ctrl-C, and no link leads elsewhere", { timeout: 120_000 }, async () => {
    const url = await answering((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write("id,phone\r\n");
    });
    const [out, other] = [join(folder, "people.csv"), join(folder, "other")];
    writeFileSync(other, "mine");
    symlinkSync(other, `${out}.part`);
    const exporting = spawnWaypost(["export", "--out", out], { WAYPOST_BASE_URL: url, WAYPOST_API_KEY: "wp_live_a" });
    try {
      const isWritten = (): boolean => lstatSync(`${out}.part`, { throwIfNoEntry: false })?.isFile() === true;
      await expect.poll(isWritten, { timeout: 30_000 }).toBe(true);
      exporting.interrupt();
      await exporting.ended;
      expect([existsSync(out), existsSync(`${out}.part`), readFileSync(other, "utf8")]).toEqual([false, false, "mine"]);
    } finally {
      exporting.kill();
    }
  });

  test("a script that asks for JSON gets no table", async () => {
    expectLine(await waypost("export", "--json", "--format", "csv"), 2);
  });
});

describe("standard output", () => {
  const run = promisify(execFile);

  /** Runs `shell`, in which "$@" is the command line. */
  async function through(shell: string, ...args: string[]): Promise<string> {
    const command = ["--norc", "-c", shell, "bash", process.execPath, ...argumentsOf(args)];
    const { stdout, stderr } = await run("bash", command, { env: { PATH: process.env["PATH"] } });
    return stderr + stdout;
  }

  test("may have no reader any more, as behind `| head`", { timeout: 120_000 }, async () => {
    const lines = ["--version", "--help", "completion bash", "trigger --list"];
    const ended = lines.map((line) => through('"$@" | true; echo "ended with ${PIPESTATUS[0]}"', ...line.split(" ")));
    expect(await Promise.all(ended)).toEqual(lines.map(() => "ended with 0\n"));
  });

  test.runIf(existsSync("/dev/full"))(
    "on a full disk is one line, with exit code 1",
    { timeout: 120_000 },
    async () => {
      const said = await through('"$@" >/dev/full; echo "ended with $?"', "trigger", "--list", "--json");
      expect(said).toMatch(/^waypost: standard output cannot be written: ENOSPC\nended with 1\n$/);
    },
  );
});
