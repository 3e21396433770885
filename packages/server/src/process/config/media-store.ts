/** Where the bytes of media are kept. */
export type MediaStoreSetting =
  // `path` null: in the data directory.
  { kind: "directory"; path: string | null } | { kind: "s3"; bucket: string; prefix: string };

const S3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*)?)?\/?$/;

/** `file:`, `file:/absolute/path` or `s3://bucket/prefix`. */
export function mediaStore(value: string): MediaStoreSetting {
  if (value === "file:") return { kind: "directory", path: null };
  const path = /^file:(?:\/\/)?(\/[^\0]+)$/.exec(value)?.[1];
  if (path !== undefined) return { kind: "directory", path };
  const [matched, bucket = "", prefix = ""] = S3.exec(value) ?? [];
  if (matched === undefined || prefix.split("/").some((part) => part === "." || part === ".."))
    throw new Error(
      "`file:` with or without an absolute path, or s3://bucket/prefix of letters, digits, `.`, `_` and `-`",
    );
  return { kind: "s3", bucket, prefix };
}

/** What a bucket needs beside its name; each line names a variable. */
export const faultsOfMediaStore = (config: {
  MEDIA_STORE: MediaStoreSetting;
  AWS_ACCESS_KEY_ID: string | null;
  AWS_SECRET_ACCESS_KEY: string | null;
}): string[] =>
  config.MEDIA_STORE.kind !== "s3"
    ? []
    : (["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const)
        .filter((name) => config[name] === null)
        .map((name) => `${name} is missing: MEDIA_STORE names a bucket, whose objects are stored with this key`);
