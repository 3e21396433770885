import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { systemClock } from "../clock.ts";
import { Proxy } from "./proxy.ts";
import { SafeFetch, type SafeFetchOptions } from "./safe-fetch.ts";
import { egressPolicy } from "./target.ts";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that connects, or answers with `status`; what it was asked for. */
async function startProxy(status = 200): Promise<{ port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    asked.push(request);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = request.url!.split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
    return undefined;
  });
  return { port: await listen(server), asked };
}

const local = egressPolicy(["127.0.0.0/8"], []);

function through(proxy: Proxy, options: Partial<SafeFetchOptions> = {}): SafeFetch {
  const fetch = new SafeFetch({
    policy: local,
    clock: systemClock(),
    limits: { totalMs: 3_000, connectMs: 1_000 },
    resolve: () => Promise.resolve(["127.0.0.1"]),
    proxy,
    ...options,
  });
  ending.push(() => fetch.close());
  return fetch;
}
const proxyAt = (port: number, user = ""): Proxy => new Proxy(`http://${user}127.0.0.1:${port}`, systemClock());
const post = (fetch: SafeFetch, url: string) =>
  fetch.post({ owner: "o", url, headers: { "x-a": "1" }, body: Buffer.from("{}") });

const keeping =
  (seen: IncomingMessage[]): RequestListener =>
  (request, response) => {
    seen.push(request);
    request.resume().on("end", () => response.writeHead(201).end("thanks"));
  };

test("a post goes through the proxy to the address that was vetted, under the name of the URL, and keeps its socket", async () => {
  const seen: IncomingMessage[] = [];
  const port = await listen(createServer(keeping(seen)));
  const proxy = await startProxy();
  const fetch = through(proxyAt(proxy.port, "ana:p%40ss@"));
  for (const n of [1, 2]) {
    const result = await post(fetch, `http://hooks.example:${port}/in?x=1`);
    expect(result).toMatchObject({ kind: "answer", status: 201, snippet: "thanks" });
    expect(seen).toHaveLength(n);
  }
  expect(proxy.asked.map(({ url }) => url)).toEqual([`127.0.0.1:${port}`]);
  expect(proxy.asked[0]!.headers["proxy-authorization"]).toBe(`Basic ${Buffer.from("ana:p@ss").toString("base64")}`);
  const { url, headers } = seen[0]!;
  expect([url, headers.host, headers["x-a"]]).toEqual(["/in?x=1", `hooks.example:${port}`, "1"]);
  // The receiver learns nothing of the proxy's password.
  expect(headers["proxy-authorization"]).toBeUndefined();
});

test("TLS is spoken with the receiver itself, whose certificate must be for the name of the URL", async () => {
  const seen: IncomingMessage[] = [];
  const names: unknown[] = [];
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, keeping(seen));
  server.on("secureConnection", (socket: { servername: unknown }) => names.push(socket.servername));
  const port = await listen(server);
  const proxy = await startProxy();
  const fetch = through(proxyAt(proxy.port), { ca: CERTIFICATE });
  expect(await post(fetch, `https://hooks.example:${port}/in`)).toMatchObject({ kind: "answer", status: 201 });
  expect([names, proxy.asked.map(({ url }) => url)]).toEqual([["hooks.example"], [`127.0.0.1:${port}`]]);
  expect(await post(fetch, `https://other.example:${port}/in`)).toMatchObject({ kind: "error", fault: "tls" });
  expect(seen).toHaveLength(1);
});

test("the rules hold before the proxy: it is asked for no private address", async () => {
  const proxy = await startProxy();
  const policy = egressPolicy([], []);
  for (const addresses of [["10.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["169.254.169.254"]]) {
    const fetch = through(proxyAt(proxy.port), { policy, resolve: () => Promise.resolve(addresses) });
    expect(await post(fetch, "https://hooks.example/")).toMatchObject({ kind: "error", fault: "refused" });
  }
  expect(await post(through(proxyAt(proxy.port), { policy }), "https://127.0.0.1/")).toMatchObject({
    fault: "refused",
  });
  expect(proxy.asked).toEqual([]);
});

test.each([
  [407, "proxy"],
  [400, "proxy"],
  [500, "proxy"],
  [502, "connect"],
  [503, "connect"],
  [504, "connect"],
  [403, "refused"],
])("an answer of %i to CONNECT is the fault %s", async (status, fault) => {
  const proxy = await startProxy(status);
  const result = await post(through(proxyAt(proxy.port, "ana:secret@")), "http://hooks.example:8080/");
  expect(result).toMatchObject({ kind: "error", fault });
  expect(JSON.stringify(result)).not.toMatch(/secret|127\.0\.0\.1/);
});

test("a proxy that is not there, speaks no HTTP or hangs up is the fault proxy", async () => {
  const gone = await listen(createTcp());
  for (const end of ending.splice(0)) await end();
  const babbles = await listen(createTcp((socket) => void socket.end("220 mail\r\n")));
  const hangsUp = await listen(createTcp((socket) => void socket.once("data", () => socket.destroy())));
  for (const port of [gone, babbles, hangsUp])
    expect(await post(through(proxyAt(port)), "http://hooks.example:8080/")).toMatchObject({ fault: "proxy" });
});

test("a proxy that failed is asked nothing for two seconds", async () => {
  const clock = manualClock();
  const refusing = await startProxy(407);
  const fetch = through(new Proxy(`http://127.0.0.1:${refusing.port}`, clock));
  for (let n = 0; n < 3; n++) expect(await post(fetch, "http://hooks.example:8080/")).toMatchObject({ fault: "proxy" });
  expect(refusing.asked).toHaveLength(1);
  clock.advance(2_000);
  await post(fetch, "http://hooks.example:8080/");
  expect(refusing.asked).toHaveLength(2);
});

test("a proxy that was reached and says nothing waits for the receiver: that one is late", async () => {
  const silent = await listen(createTcp(() => {}));
  const fetch = through(proxyAt(silent), { limits: { totalMs: 3_000, connectMs: 150 } });
  expect(await post(fetch, "http://hooks.example:8080/")).toMatchObject({ kind: "error", fault: "timeout" });
});

test("the deadline of the connection ends with the connection", async () => {
  const port = await listen(
    createServer((request, response) => {
      request.resume();
      // Later than the connection's deadline.
      setTimeout(() => response.writeHead(200).end(), 400);
    }),
  );
  const proxy = await startProxy();
  const fetch = through(proxyAt(proxy.port), { limits: { totalMs: 3_000, connectMs: 200 } });
  expect(await post(fetch, `http://hooks.example:${port}/`)).toMatchObject({ kind: "answer", status: 200 });
});

// For hooks.example alone, and of no use elsewhere; they end in a hundred years.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRhaqvV9l+e2gxp+e
QraQXzxKd7kM1CvHjRccB8/yOyqhRANCAAS0Mr6wQOdcfvOpQhAaN50z8avLKo9+
fvZvXTTxm02Sny+SX80lzu1Raml6ItMjInPn9eZS9eBY6RQ+/2JoWPEV
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUHRpQydTVuyVShkFdayQa3yZHvy0wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAgFw0yNjExMjcxNzE0NDFaGA8yMTI2
MTEwMzE3MTQ0MVowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABLQyvrBA51x+86lCEBo3nTPxq8sqj35+9m9dNPGbTZKf
L5JfzSXO7VFqaXoi0yMic+f15lL14FjpFD7/YmhY8RWjbTBrMB0GA1UdDgQWBBQH
JaXUmhWCMuj6W5g7WXJj8Eb91zAfBgNVHSMEGDAWgBQHJaXUmhWCMuj6W5g7WXJj
8Eb91zAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWhvb2tzLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSAAwRQIgHgx8oCBDdzMFxKf8hghmDM1BKHoViWgeCv/CI3x9
5mgCIQDutb5RCVmc9VBdg7Ia4YU0EqwRSY0nQ9Z944bfm13JzQ==
-----END CERTIFICATE-----
`;
