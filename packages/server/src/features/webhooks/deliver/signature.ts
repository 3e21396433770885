import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64 bytes; 32 are as strong as the hash. */
const SECRET_BYTES = 32;

/** A new endpoint secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** A client's own secret is kept behind this; ours never begins so. */
const BROUGHT = "brought ";

/** A secret as it is sealed, a new one unless the client brings its own, and what is shown of it once: nothing of one that was brought. */
export function keptSecret(brought: string | undefined): { kept: string; shown: { secret?: string } } {
  if (brought !== undefined) return { kept: `${BROUGHT}${brought}`, shown: {} };
  const secret = newSecret();
  return { kept: secret, shown: { secret } };
}

/** A secret from what was sealed of it. */
export const secretOf = (kept: string): Pick<EndpointSecret, "secret" | "isBrought"> =>
  kept.startsWith(BROUGHT)
    ? { secret: kept.slice(BROUGHT.length), isBrought: true }
    : { secret: kept, isBrought: false };

/** A secret of an endpoint, which signs before `until` (milliseconds); null: until it is replaced. `isBrought`: it is the client's own. */
export type EndpointSecret = { secret: string; until: number | null; isBrought: boolean };

export type Signed = {
  "x-service-signature": string;
  "webhook-id": string;
  "webhook-timestamp": string;
  /** Absent where all secrets are the client's own: its key is what follows our prefix. */
  "webhook-signature"?: string;
};

/** The headers of one attempt that a signature is about: the id of the event and the time, which is `atMs`. */
export const signedAt = (id: string, atMs: number): Pick<Signed, "webhook-id" | "webhook-timestamp"> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(atMs / 1_000)),
});

/**
 * The signature headers of one attempt, with one value for each live secret, in the order given.
 * `x-service-signature` takes the whole secret text as key and signs `t.body`; the Standard Webhooks trio takes the bytes
 * after the prefix and signs `id.t.body`. `atMs` is the time of this attempt.
 */
export function sign(id: string, atMs: number, body: Uint8Array, secrets: readonly EndpointSecret[]): Signed {
  const live = liveAt(atMs, secrets);
  const signed = signedAt(id, atMs);
  const time = signed["webhook-timestamp"];
  const hexes = live.map(
    ({ secret }) => `v1=${createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex")}`,
  );
  const standard = live
    .filter(({ isBrought }) => !isBrought)
    .map(
      ({ secret }) =>
        `v1,${createHmac("sha256", hmacKeyOf(secret)).update(`${id}.${time}.`).update(body).digest("base64")}`,
    );
  return {
    "x-service-signature": [`t=${time}`, ...hexes].join(","),
    ...signed,
    ...(standard.length === 0 ? {} : { "webhook-signature": standard.join(" ") }),
  };
}

/**
 * The provider's own signature of one attempt, which has room for one value: by the oldest of the live secrets (given newest first), so that
 * a receiver may change to the next one at the promised end.
 */
export function signAsProvider(atMs: number, body: Uint8Array, secrets: readonly EndpointSecret[]) {
  const oldest = liveAt(atMs, secrets).at(-1);
  if (oldest === undefined) throw new Error("the endpoint has no secret that signs");
  return { "x-hub-signature-256": `sha256=${createHmac("sha256", oldest.secret).update(body).digest("hex")}` };
}

const liveAt = (atMs: number, secrets: readonly EndpointSecret[]): EndpointSecret[] =>
  secrets.filter(({ until }) => until === null || atMs < until);

const hmacKeyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
