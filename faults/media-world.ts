import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "@waypost/simulator";
import { monotonicMs } from "../bench/monotonic.ts";
import { APP_SECRET, SETTINGS, VERIFY_TOKEN } from "../bench/settings.ts";
import { type Call, callAs } from "../packages/server/src/testing/call.ts";
import { connectAccount, createWorkspace } from "../packages/server/src/testing/workspace.ts";
import type { Lab, Process } from "./lab.ts";

export type Owner = { key: string; call: Call; wabaId: string; providerNumber: string };

export type MediaWorld = {
  simulator: Simulator;
  process: Process;
  owners: Owner[];
  close(): Promise<void>;
};

/** The simulator with two accounts, and a process whose media lies in a folder of its own. */
export async function openMediaWorld(lab: Lab): Promise<MediaWorld> {
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    seed: [],
    delays: { statuses: false },
  });
  const folder = await mkdtemp(join(tmpdir(), "waypost-faults-media-"));
  const close = async (): Promise<void> => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const process = await lab.serve({ PROVIDER_BASE_URL: simulator.url, WAYPOST_DATA_DIR: folder });
    simulator.setCallbackUrl(`${process.url}/webhooks/receive`);
    const owners: Owner[] = [];
    for (const index of [0, 1]) {
      const [wabaId, providerNumber] = [`4000${index}`, `4100${index}`];
      simulator.addAccount({
        waba_id: wabaId,
        name: `Media ${index}`,
        business_id: `4200${index}`,
        token: `token-${wabaId}`,
        phone_numbers: [{ id: providerNumber, display_phone_number: `+1555990400${index}` }],
      });
      const { key } = await createWorkspace(callAs(process.url, SETTINGS.WAYPOST_OPERATOR_KEY));
      await connectAccount(callAs(process.url, key), { wabaId, token: `token-${wabaId}` });
      owners.push({ key, call: callAs(process.url, key), wabaId, providerNumber });
    }
    return { simulator, process, owners, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export const MIB = 1_048_576;

/** A PDF by its first bytes, of so many; the same for the same `mark`. */
export async function* pdf(bytes: number, mark: string): AsyncGenerator<Buffer> {
  const block = createHash("sha512").update(mark).digest();
  const chunk = Buffer.alloc(MIB, block);
  const head = Buffer.from(`%PDF-1.7 ${mark}\n`);
  yield head;
  for (let left = bytes - head.length; left > 0; left -= chunk.length)
    yield chunk.subarray(0, Math.min(left, chunk.length));
}

export async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of bytes) digest.update(chunk);
  return digest.digest("hex");
}

/** `POST /v1/media` of these bytes as they come; the id of what it made. */
export async function uploadTo(url: string, { key }: Owner, content: AsyncIterable<Buffer>): Promise<string> {
  const boundary = `faults-${randomBytes(9).toString("hex")}`;
  async function* form(): AsyncGenerator<Buffer> {
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.pdf"\r\ncontent-type: application/pdf\r\n\r\n`,
    );
    yield* content;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const answer = await fetch(`${url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(form()),
    duplex: "half",
  } as unknown as RequestInit);
  const body = JSON.parse(await answer.text()) as { id: string };
  if (answer.status !== 201) throw new Error(`an upload was answered with ${answer.status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** The most memory that a process has had in use until now, in MiB; Linux only. */
export async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Milliseconds until it is so; rejects after `withinMs`. */
export async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const began = monotonicMs();
  while (!(await isSo())) {
    if (monotonicMs() - began > withinMs) throw new Error(`${what} did not happen within ${withinMs / 1_000} s`);
    await sleep(50);
  }
  return monotonicMs() - began;
}
