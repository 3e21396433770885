import { randomUUID } from "node:crypto";

/** The settings of a real S3-compatible server, each time with a prefix of its own; null where there is none to test with. */
export function realS3(): (() => Record<string, string>) | null {
  const { TEST_S3_ENDPOINT: endpoint, TEST_S3_BUCKET: bucket, TEST_S3_KEY: key, TEST_S3_SECRET: secret } = process.env;
  if (endpoint === undefined || bucket === undefined || key === undefined || secret === undefined) return null;
  return () => ({
    MEDIA_STORE: `s3://${bucket}/${randomUUID()}`,
    S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: key,
    AWS_SECRET_ACCESS_KEY: secret,
  });
}
