import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64 bytes; 32 are as strong as the hash. */
const SECRET_BYTES = 32;

/** A new endpoint secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** A secret of an endpoint, which signs before `until` (milliseconds); null: until it is replaced. */
export type EndpointSecret = { secret: string; until: number | null };

export type Signed = {
  "x-service-signature": string;
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
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
  const live = secrets.filter(({ until }) => until === null || atMs < until).map(({ secret }) => secret);
  const signed = signedAt(id, atMs);
  const time = signed["webhook-timestamp"];
  const hexes = live.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex")}`,
  );
  const standard = live.map(
    (secret) => `v1,${createHmac("sha256", hmacKeyOf(secret)).update(`${id}.${time}.`).update(body).digest("base64")}`,
  );
  return {
    "x-service-signature": [`t=${time}`, ...hexes].join(","),
    ...signed,
    "webhook-signature": standard.join(" "),
  };
}

const hmacKeyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
