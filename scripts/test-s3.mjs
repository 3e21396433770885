// The half of `npm run test:clients` that is about stores: an S3-compatible server of another maker, compiled into the cache folder, keeps
// the files of the tests of stores, and of every gateway that the tests of features and of the front start.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runTool } from "./run.mjs";

const MODULE = "github.com/versity/versitygw/cmd/versitygw";
const VERSION = "v1.8.0";
const KEY = { accessKeyId: "waypost-tests", secretAccessKey: "waypost-tests-secret" };
const BUCKET = "waypost-tests";
/** Each gateway that they start has its files there. */
const TESTS = ["packages/server/src/files", "packages/server/src/features", "tests/front"];
/** The server is up within a second. */
const UP_MS = 20_000;

/** Resolves to what is wrong, null for nothing; `skipped` where the server cannot be had. */
export async function testS3(cache) {
  const program = await compile(cache);
  if (program === null) return { skipped: true, failure: null };
  const folder = mkdtempSync(join(tmpdir(), "waypost-versitygw-"));
  const server = await start(program, folder);
  try {
    await isUp(server.endpoint);
    const env = {
      ...process.env,
      TEST_S3_ENDPOINT: server.endpoint,
      TEST_S3_BUCKET: BUCKET,
      TEST_S3_KEY: KEY.accessKeyId,
      TEST_S3_SECRET: KEY.secretAccessKey,
    };
    const { code } = await runTool("vitest/vitest.mjs", ["run", ...TESTS], { inherit: true, env });
    return { skipped: false, failure: code === 0 ? null : `the tests ended with ${code}` };
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server's program, compiled once; null where there is no Go, or the module cannot be had. */
async function compile(cache) {
  const folder = join(cache, `versitygw-${VERSION}`);
  const program = join(folder, "versitygw");
  if (existsSync(program)) return program;
  if ((await run("go", ["version"])).code !== 0) {
    console.log("s3: skipped, as there is no go here");
    return null;
  }
  console.log("s3: compiling the server, which takes some minutes the first time …");
  mkdirSync(folder, { recursive: true });
  const { code, output } = await run("go", ["install", `${MODULE}@${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
  });
  if (code === 0) return program;
  console.log(`s3: skipped, as the server cannot be compiled\n${output.slice(-1_000)}`);
  return null;
}

async function start(program, folder) {
  const port = await freePort();
  // A bucket is a folder to this server.
  for (const name of [`buckets/${BUCKET}`, "metadata"]) mkdirSync(join(folder, name), { recursive: true });
  const args = [
    "--port",
    `127.0.0.1:${port}`,
    "--quiet",
    "posix",
    "--sidecar",
    join(folder, "metadata"),
    join(folder, "buckets"),
  ];
  const env = { ...process.env, ROOT_ACCESS_KEY: KEY.accessKeyId, ROOT_SECRET_KEY: KEY.secretAccessKey };
  const child = spawn(program, args, { env, stdio: "inherit" });
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Asks until the server refuses, as it does without a key. */
async function isUp(endpoint) {
  for (const by = Date.now() + UP_MS; Date.now() < by; ) {
    const answer = await fetch(endpoint).catch(() => null);
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not come up");
}
