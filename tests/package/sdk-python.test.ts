import { readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { ROOT } from "./packed.ts";
import { type PythonElsewhere, pythonElsewhere } from "./python.ts";
import { testShop } from "./shop.ts";

// The Python SDK as it is published, in an environment that knows nothing of this repository.

const PACKAGE = join(ROOT, "packages/sdk-python");
const EXAMPLE = "examples/fastapi";
const there = await pythonElsewhere();
afterAll(() => there?.remove());

describe.skipIf(there === null)("the Python SDK", () => {
  const { run, wheel, sdist, folder } = there ?? ({} as PythonElsewhere); // skipped without it

  test("has its sources, its types, its page and its licence, one dependency, and the version of the other SDK", async () => {
    const list =
      "import sys, tarfile, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()), *tarfile.open(sys.argv[2]).getnames())";
    const paths = (await run(["-c", list, wheel, sdist])).trim().split(" ");
    const { version } = JSON.parse(readFileSync(join(ROOT, "packages/sdk/package.json"), "utf8"));
    const about = `waypost-${version}.dist-info/`;
    const own = paths.filter((path) => path.startsWith("waypost/"));
    expect(own).toContain("waypost/py.typed");
    expect(own.filter((path) => !/^waypost\/(\w+\.py|py\.typed)$/.test(path))).toEqual([]);
    const beside = paths.filter((path) => path.startsWith(about)).map((path) => path.slice(about.length));
    expect(beside).toEqual(["METADATA", "RECORD", "WHEEL", "licenses/LICENSE"]);
    expect(paths).toContain(`waypost-${version}/src/waypost/types.py`);
    const read = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())";
    const metadata = await run(["-c", read, wheel, `${about}METADATA`]);
    expect(metadata.match(/^Requires-Dist: .*$/gm)).toEqual(["Requires-Dist: httpx>=0.27"]);
    expect(metadata).toMatch(/^License-Expression: Apache-2.0$/m);
    expect(metadata).toContain(readFileSync(join(PACKAGE, "README.md"), "utf8").trim());
    const imported = await run(["-c", "import waypost; print(waypost.__version__, waypost.__file__)"]);
    expect(imported).toContain(`${version} ${folder}`);
    expect(readFileSync(join(PACKAGE, "LICENSE"))).toEqual(readFileSync(join(ROOT, "LICENSE")));
  });

  test("passes its own tests, of answers that no gateway gives on demand and of deliveries", async () => {
    const said = await run(["-c", UNITTEST, join(PACKAGE, "tests")]);
    expect(Number(/^Ran (\d+) tests/m.exec(said)?.[1])).toBeGreaterThan(60);
  });

  test("has a method for every operation, in both forms", async () => {
    const program = `
import json, sys
from waypost import AsyncWaypost, AsyncWaypostOperator, Waypost, WaypostOperator
clients = [kind("key", "http://x") for kind in (Waypost, AsyncWaypost, WaypostOperator, AsyncWaypostOperator)]
def methods(client):
    return [f"{name}.{method}" for name, resource in vars(client).items() if name[0] != "_" for method in dir(resource) if method[0] != "_"]
print(json.dumps([sorted(methods(client)) for client in clients]))`;
    const [sync, async, operatorSync, operatorAsync] = JSON.parse(await run(["-c", program]));
    const { paths } = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));
    const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
      Object.values(methods),
    );
    const named = (scheme: string): string[] =>
      operations
        .filter(({ security }) => security.some((one) => scheme in one))
        .map(({ operationId }) => operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
        .toSorted();
    expect({ sync, async }).toEqual({ sync: named("apiKey"), async: named("apiKey") });
    expect({ operatorSync, operatorAsync }).toEqual({
      operatorSync: named("operatorKey"),
      operatorAsync: named("operatorKey"),
    });
  });

  test("is typed: mypy finds nothing in it, and in a program what is wrong there", async () => {
    const cache = join(ROOT, "node_modules/.cache/sdk-python/mypy");
    const flags = ["--strict", "--cache-dir", cache, "--no-error-summary"];
    const MYPYPATH = [join(ROOT, "tests/package/python"), join(ROOT, EXAMPLE)].join(":");
    expect(await run(["-m", "mypy", ...flags, "-p", "waypost", "-m", "typed", "-m", "app"], { MYPYPATH })).toBe("");
  });

  describe("at a gateway", () => {
    let gateway: Gateway;
    let mine: Sender;
    let theirs: Sender;
    beforeAll(async () => {
      gateway = await startGateway({ API_RATE_LIMIT: "off" });
      [mine, theirs] = [await gateway.sender(), await gateway.sender()];
    });
    afterAll(() => gateway?.stop());

    test.each([
      ["gateway_sync.py", "+15551230011", "+15557001000"],
      ["gateway_async.py", "+15551230012", "+15557001001"],
    ])(
      "%s sends, lists, uploads, follows events, and sends once although an answer is lost",
      async (file, to, contact) => {
        const lossy = await startLossy(gateway.url);
        onTestFinished(lossy.close);
        const env = { URL: gateway.url, LOSSY: lossy.url, MINE: mine.key, THEIRS: theirs.key, OPERATOR: OPERATOR_KEY };
        const given = { TO: to, FROM: mine.phoneNumberId, CONTACT: contact };
        const name = "Zoë 👋\u2028 of the shop";
        const found = JSON.parse(await run([join(ROOT, "tests/package/python", file)], { ...env, ...given }));
        expect(found).toEqual({
          sent: ["accepted", to, true],
          answers: [
            [202, false],
            [202, true],
          ],
          history: ["accepted"],
          theirs: ["NotFoundError", "not_found", 404, 1, "their-1", expect.any(String)],
          closed: ["UnprocessableError", "window_closed", 422, 1, "my-1", expect.not.stringContaining("Secret")],
          "wrong key": ["AuthenticationError", "unauthorized", 401, 1, "wrong-1", expect.any(String)],
          listed: ["5", "4", "3", "2", "1"],
          pages: [4, ["1"], null],
          lost: [true, true],
          media: [17, "text/plain", "Open from 9 to 5."],
          "their media": ["NotFoundError", "not_found", 404, 1, "their-2", expect.any(String)],
          changed: 3,
          etag: ["ConflictError", "precondition_failed", 412, 1, "late-1", expect.any(String)],
          events: [name, name],
          exported: [name],
          csv: 1,
          deleted: null,
          fresh: "Fresh",
        });
        // What the gateway has: six messages, the lost one once, of which the other workspace sees none.
        const listed = async ({ call }: Sender): Promise<{ reference: string }[]> =>
          (await call("GET", `/v1/messages?to=${encodeURIComponent(to)}`)).body.data;
        expect((await listed(mine)).map(({ reference }) => reference)).toEqual(["lost", "5", "4", "3", "2", "1"]);
        expect(await listed(theirs)).toEqual([]);
        expect(lossy.seen()).toEqual([expect.any(String), lossy.seen()[0]]);
      },
    );

    test("runs the first example of its page, and the others are Python", async () => {
      const page = readFileSync(join(PACKAGE, "README.md"), "utf8");
      const blocks = [...page.matchAll(/^```python\n(.*?)^```/gms)].map(([, block = ""]) => block);
      const [example = ""] = blocks;
      const program = example.replace("http://127.0.0.1:8080", gateway.url).replace("wp_live_…", theirs.key);
      const printed = (await run(["-c", program])).trimEnd().split("\n");
      expect(printed[0]).toMatch(/^msg_\w+ accepted$/);
      expect(printed[1]).toBe(printed[0]);
      expect(printed).toHaveLength(2);
      const compile =
        "import ast, sys; [compile(block, 'README.md', 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT) for block in sys.argv[1:]]";
      await run(["-c", compile, ...blocks]);
    });
  });
});

describe.skipIf(there === null)("examples/fastapi", () => {
  testShop({
    page: EXAMPLE,
    start: `${EXAMPLE}/.venv/bin/python ${EXAMPLE}/app.py`,
    async install() {
      const { folder = "", python = "" } = there ?? {};
      await copyFile(join(ROOT, EXAMPLE, "app.py"), join(folder, "app.py"));
      return { folder, command: `${python} app.py`, remove: async () => {} };
    },
  });
});

type Operation = { operationId: string; security: Record<string, string[]>[] };

const UNITTEST = `
import sys, unittest
sys.path.insert(0, sys.argv[1])
result = unittest.TextTestRunner(stream=sys.stdout, buffer=True).run(unittest.defaultTestLoader.discover(sys.argv[1]))
sys.exit(0 if result.wasSuccessful() else 1)`;

/** Passes requests on to the gateway, and loses the answer to the first one; `seen` has the idempotency keys. */
async function startLossy(url: string): Promise<{ url: string; seen: () => string[]; close: () => void }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { authorization = "", "content-type": type = "", "x-idempotency-key": key = "" } = request.headers;
      const headers = { authorization, "content-type": type, "x-idempotency-key": String(key) };
      const body = await text(request);
      const answer = await fetch(`${url}${request.url}`, { method: request.method ?? "", headers, body });
      const said = await answer.text();
      if (seen.push(String(key)) === 1) return response.destroy();
      const replayed = answer.headers.get("idempotent-replayed");
      response.writeHead(answer.status, replayed === null ? {} : { "idempotent-replayed": replayed });
      return response.end(said);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens at a port
  return { url: `http://127.0.0.1:${port}`, seen: () => seen, close: () => void server.close() };
}
