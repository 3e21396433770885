import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { etagOfBytes } from "./page.ts";

/** How a file is written; the second name is that of its file beside it. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
export type Encoding = (typeof ENCODINGS)[number][0];

/** The bytes of a file in one encoding, with their tag. */
export type Bytes = { body: Buffer; etag: string };

/** A file of the console as it is served. */
export type ConsoleFile = {
  /** `/assets/main-Bk3….js` */
  path: string;
  type: string;
  /** True: its name has the digest of its content. */
  isImmutable: boolean;
  plain: Bytes;
  encoded: Partial<Record<Encoding, Bytes>>;
};

/** What `npm run build` has made of the console. */
export type BuiltConsole = { page: string; files: readonly ConsoleFile[] };

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** What of a line of the builder's manifest names files. */
type ManifestLine = { file: string; css?: string[]; assets?: string[] };

/**
 * Reads the console from its folder, all of it: a build that takes its place later must not mix with this one. Null where it was not
 * built. Only what the manifest names, and the few files with fixed names, are served. Throws for a file of a type that is not known.
 */
export async function readConsole(folder: string): Promise<BuiltConsole | null> {
  const manifest = await textOf(join(folder, ".vite/manifest.json"));
  const page = await textOf(join(folder, "index.html"));
  if (manifest === null || page === null) return null;
  const lines = Object.values(JSON.parse(manifest) as Record<string, ManifestLine>); // as the builder writes it
  const named = new Set(lines.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
  const fixed = (await readdir(join(folder, "console"))).filter((name) => !/\.(?:br|gz)$/.test(name));
  return {
    page,
    files: await Promise.all([
      ...[...named].map((name) => readPart(folder, name, true)),
      ...fixed.map((name) => readPart(folder, `console/${name}`, false)),
    ]),
  };
}

async function readPart(folder: string, name: string, isImmutable: boolean): Promise<ConsoleFile> {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`the console has a file of an unknown type: ${name}`);
  const encoded: ConsoleFile["encoded"] = {};
  for (const [encoding, suffix] of ENCODINGS) {
    const body = await bytesOf(join(folder, name + suffix));
    if (body !== null) encoded[encoding] = withTag(body);
  }
  return { path: `/${name}`, type, isImmutable, plain: withTag(await readFile(join(folder, name))), encoded };
}

const withTag = (body: Buffer): Bytes => ({ body, etag: etagOfBytes(body) });

/** The best encoding of a file that the browser takes. */
export function bestOf(
  { plain, encoded }: Pick<ConsoleFile, "plain" | "encoded">,
  acceptEncoding: string,
): Bytes & { encoding: Encoding | null } {
  for (const encoding of encodingsIn(acceptEncoding)) {
    const bytes = encoded[encoding];
    if (bytes !== undefined) return { ...bytes, encoding };
  }
  return { ...plain, encoding: null };
}

/** The encodings that a browser takes, the best first. */
export function encodingsIn(acceptEncoding: string): Encoding[] {
  const taken = new Set(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
      .map((one) => one.split(";")[0]?.trim()),
  );
  return ENCODINGS.map(([encoding]) => encoding).filter((encoding) => taken.has(encoding));
}

async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const textOf = async (path: string): Promise<string | null> => (await bytesOf(path))?.toString("utf8") ?? null;
