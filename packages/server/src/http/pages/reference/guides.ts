import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PACKAGE_FOLDER } from "../../../package-folder.ts";

/** A page of `docs` that speaks to users and operators. */
export type Guide = { name: string; title: string; summary: string; text: string };

/** By their files in `docs`, in the order in which they are listed. */
export const GUIDES: readonly string[] = [
  "getting-started",
  "concepts",
  "webhooks",
  "api-keys",
  "setup-links",
  "migration",
  "cloud-api",
  "provider-format",
  "cli",
  "operations",
  "privacy",
  "simulator",
];

/** Of the package as it is published, which has them in it, and of the repository that the gateway runs from. */
const FOLDERS = ["guides/", "../../docs/"].map((path) => new URL(path, PACKAGE_FOLDER));

/** Reads them; those that are not there are left out. */
export async function readGuides(
  folder: URL = FOLDERS.find((one) => existsSync(one)) ?? PACKAGE_FOLDER,
): Promise<Guide[]> {
  const read = await Promise.all(GUIDES.map((name) => readGuide(name, folder)));
  return read.filter((guide) => guide !== null);
}

async function readGuide(name: string, folder: URL): Promise<Guide | null> {
  try {
    const text = await readFile(new URL(`${name}.md`, folder), "utf8");
    const [heading = "", title = name] = /^# (.+)$/m.exec(text) ?? [];
    const [, rest = ""] = text.split(heading, 2);
    return { name, title, summary: firstSentence(rest.trim()), text };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Of the first paragraph, without links: it stands in lists of links. */
function firstSentence(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((one) => !/^(?:[#|<-]|```)/.test(one)) ?? "";
  const [sentence = ""] = /^.+?(?:[.:](?=\s|$)|$)/s.exec(paragraph) ?? [];
  return sentence
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/:$/, ".");
}
