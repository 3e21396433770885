import { monotonicMs } from "../bench/monotonic.ts";
import { atMost, type Bound, type Experiment, none } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import {
  digestOf,
  type MediaWorld,
  MIB,
  type Owner,
  openMediaWorld,
  pdf,
  peakMib,
  until,
  uploadTo,
} from "./media-world.ts";

const LARGE_BYTES = { full: 100 * MIB, short: 5 * MIB };
/** Files that people send while the provider's host hangs for their account. */
const HANGING = { full: 5_000, short: 200 };
/** Files of the other workspace meanwhile, and how long each may take. */
const BESIDE = 20;
const BESIDE_WITHIN_MS = 60_000;
const MOST_MIB = 300;
const LARGE_WITHIN_MS = 180_000;
const ALL_WITHIN_MS = 900_000;

export const media: Experiment = {
  promise:
    "a file of 100 MB goes out and comes in within bounded memory, and files that cannot be fetched hold up no other workspace",
  async run(lab) {
    const world = await openMediaWorld(lab);
    try {
      const large = await largeFiles(lab, world);
      const hanging = await hangingHost(lab, world);
      return { figures: { accepted: hanging.arrived }, bounds: [...large, ...hanging.bounds] };
    } finally {
      await world.close();
    }
  },
};

async function largeFiles(lab: Lab, { simulator, process, owners: [owner] }: MediaWorld): Promise<Bound[]> {
  if (owner === undefined) throw new Error("no workspaces");
  const bytes = lab.short ? LARGE_BYTES.short : LARGE_BYTES.full;
  const [person, out, into] = ["+15554000001", await digestOf(pdf(bytes, "out")), await digestOf(pdf(bytes, "in"))];
  simulator.inbound({ phone_number_id: owner.providerNumber, from: person, text: "Hi" });
  await until("the window", LARGE_WITHIN_MS, async () => (await inboundOf(owner)).length > 0);
  const id = await uploadTo(process.url, owner, pdf(bytes, "out"));
  const { body: message } = await owner.call("POST", "/v1/messages", {
    body: { to: person, type: "document", document: { id, filename: "large.pdf" } },
  });
  const sentMs = await until("the large document", LARGE_WITHIN_MS, async () => {
    const { status } = (await owner.call("GET", `/v1/messages/${message.id}`)).body;
    return status === "accepted";
  });
  const arrived = simulator.files().find(({ source }) => source === "upload");
  const isWhole = arrived?.sha256 === Buffer.from(out, "hex").toString("base64");

  const file = { phone_number_id: owner.providerNumber, mime_type: "application/pdf" };
  const { id: provider } = await simulator.addFile(file, pdf(bytes, "in"));
  simulator.inbound({
    phone_number_id: owner.providerNumber,
    from: person,
    type: "document",
    document: { id: provider },
  });
  let mediaId = "";
  const fetchedMs = await until("the file of a person", LARGE_WITHIN_MS, async () => {
    const [found] = (await owner.call("GET", "/v1/media?source=inbound&status=available")).body.data as {
      id: string;
    }[];
    mediaId = found?.id ?? "";
    return found !== undefined;
  });
  const content = await fetch(`${process.url}/v1/media/${mediaId}/content`, {
    headers: { authorization: `Bearer ${owner.key}` },
  });
  const read = await digestOf(content.body as unknown as AsyncIterable<Uint8Array>);
  const peak = await peakMib(process.pid);
  lab.say(
    `${bytes / MIB} MiB out in ${sentMs.toFixed(0)} ms, in in ${fetchedMs.toFixed(0)} ms, at most ${peak.toFixed(0)} MiB in use`,
  );
  return [
    none("large files that arrived otherwise", (isWhole ? 0 : 1) + (read === into ? 0 : 1)),
    atMost("memory in use", peak, MOST_MIB, "MiB"),
  ];
}

async function hangingHost(lab: Lab, { simulator, owners }: MediaWorld): Promise<{ arrived: number; bounds: Bound[] }> {
  const [stuck, beside] = owners;
  if (stuck === undefined || beside === undefined) throw new Error("no workspaces");
  const count = lab.short ? HANGING.short : HANGING.full;
  simulator.addFault({ kind: "hang", operation: "download_media", waba_id: stuck.wabaId, count: null });
  for (let n = 0; n < count; n += 1)
    await sendFile(simulator, stuck, `+1555410${String(n % 1_000).padStart(4, "0")}`, `stuck ${n}`);
  await until("the messages of all files", ALL_WITHIN_MS, async () => (await left(lab)) >= count);

  const began = monotonicMs();
  for (let n = 0; n < BESIDE; n += 1)
    await sendFile(simulator, beside, `+1555420${String(n).padStart(4, "0")}`, `beside ${n}`);
  await until("the files of the other workspace", BESIDE_WITHIN_MS, async () => {
    const { data } = (await beside.call("GET", "/v1/media?source=inbound&status=available&limit=100")).body;
    return data.length >= BESIDE;
  });
  const besideMs = monotonicMs() - began;
  const { body: reply } = await beside.call("POST", "/v1/messages", {
    body: { to: "+15554200000", type: "text", text: { body: "It is here." } },
  });
  const sentMs = await until("a send of the other workspace", BESIDE_WITHIN_MS, async () => {
    return (await beside.call("GET", `/v1/messages/${reply.id}`)).body.status === "accepted";
  });

  simulator.clearFaults();
  const allMs = await until("all files", ALL_WITHIN_MS, async () => (await left(lab)) === 0);
  const [{ failed, available } = { failed: Number.NaN, available: Number.NaN }] = await lab.query<{
    failed: number;
    available: number;
  }>(
    `select count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'available')::int as available
     from media where source = 'inbound'`,
  );
  lab.say(
    `${BESIDE} files of another workspace in ${besideMs.toFixed(0)} ms, its send in ${sentMs.toFixed(0)} ms; ${count} in ${(allMs / 1_000).toFixed(0)} s once the host answered`,
  );
  return {
    arrived: available,
    bounds: [
      none("files that did not arrive", failed + count + BESIDE + 1 - available),
      atMost("the other workspace's files", besideMs, BESIDE_WITHIN_MS, "ms"),
      atMost("the other workspace's send", sentMs, 5_000, "ms"),
    ],
  };
}

async function sendFile(
  simulator: MediaWorld["simulator"],
  { providerNumber }: Owner,
  from: string,
  mark: string,
): Promise<void> {
  const file = { phone_number_id: providerNumber, mime_type: "application/pdf" };
  const { id } = await simulator.addFile(file, Buffer.from(`%PDF-1.7 ${mark}`));
  simulator.inbound({ phone_number_id: providerNumber, from, type: "document", document: { id } });
}

/** Files that are still to be fetched. */
const left = async (lab: Lab): Promise<number> =>
  (await lab.query<{ left: number }>("select count(*)::int as left from fetching"))[0]?.left ?? 0;

const inboundOf = async (owner: Owner): Promise<unknown[]> =>
  (await owner.call("GET", "/v1/messages?direction=inbound")).body.data;
