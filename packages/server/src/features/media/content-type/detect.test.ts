import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileTypeOf, typeOfMime } from "../media-types.ts";
import {
  AAC,
  AMR,
  BOMB,
  cfb,
  DOCM,
  DOCX,
  EXE,
  HTML,
  JPEG,
  MP3,
  mp4,
  ogg,
  PDF,
  PNG,
  PPTX,
  SVG,
  webp,
  XLSX,
  zip,
} from "../testing/files.ts";
import { detectType, type Said } from "./detect.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-types-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function typeOf(bytes: Buffer | string, said: Partial<Said> = {}): Promise<string | null> {
  const path = join(folder, "file");
  await writeFile(path, bytes);
  const found = await detectType(path, Buffer.byteLength(bytes), { filename: null, mimeType: null, ...said });
  return found?.mimeType ?? null;
}

const OOXML = "application/vnd.openxmlformats-officedocument";

describe("the type of a file", () => {
  it.each([
    ["JPEG", JPEG, "image/jpeg"],
    ["PNG", PNG, "image/png"],
    ["WebP", webp(), "image/webp"],
    ["MP4", mp4(), "video/mp4"],
    ["3GP", mp4("3gp4"), "video/3gpp"],
    ["M4A", mp4("M4A "), "audio/mp4"],
    ["OGG with Opus", ogg("OpusHead"), "audio/ogg"],
    ["MP3", MP3, "audio/mpeg"],
    ["AAC", AAC, "audio/aac"],
    ["AMR", AMR, "audio/amr"],
    ["PDF", PDF, "application/pdf"],
    ["a document", DOCX, `${OOXML}.wordprocessingml.document`],
    ["a sheet", XLSX, `${OOXML}.spreadsheetml.sheet`],
    ["slides", PPTX, `${OOXML}.presentationml.presentation`],
    ["a sheet that is a bomb, which is never unpacked", BOMB, `${OOXML}.spreadsheetml.sheet`],
    ["an old document", cfb(["WordDocument"]), "application/msword"],
    ["an old sheet", cfb(["a", "b", "c", "d", "e", "Workbook"]), "application/vnd.ms-excel"],
    ["old slides", cfb(["Current User", "PowerPoint Document"]), "application/vnd.ms-powerpoint"],
    ["a text", "Olá, tudo bem?\r\n\tSim.\n", "text/plain"],
    ["a text in Latin-1", Buffer.from("Caf\xe9;9,90\n", "latin1"), "text/plain"],
    ["a text that begins like a picture", "BMW is a car", "text/plain"],
    ["a comparison", "< 3 apples, > 2 pears", "text/plain"],
  ])("%s", async (_what, bytes, type) => {
    expect(await typeOf(bytes)).toBe(type);
  });

  it.each([
    ["HTML", HTML],
    ["SVG", SVG],
    ["HTML behind a byte order mark", `\uFEFF \n${HTML.toString()}`],
    ["XML", '<?xml version="1.0"?><a/>'],
    ["a program", EXE],
    ["OGG with Vorbis", ogg("\x01vorbis")],
    ["MPEG sound of another layer", Buffer.concat([Buffer.from([0xff, 0xfd, 0x90, 0x04]), Buffer.alloc(64)])],
    ["a text or page in UTF-16", Buffer.from("\uFEFF<html>Hello", "utf16le")],
    ["any archive", zip(["readme.txt"])],
    ["an archive that breaks off", XLSX.subarray(0, XLSX.length - 30)],
    ["a document with macros", DOCM],
    ["an installer", cfb(["Property"])],
    ["a compound file that breaks off", cfb(["WordDocument"]).subarray(0, 600)],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0")],
    ["bytes that are nothing", Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])],
  ])("is none that is taken for %s", async (_what, bytes) => {
    expect(await typeOf(bytes)).toBeNull();
  });

  it("is that of its bytes, whatever comes behind them", async () => {
    expect(await typeOf(Buffer.concat([JPEG, HTML]))).toBe("image/jpeg");
    expect(await typeOf(Buffer.concat([PDF, zip(["a"])]))).toBe("application/pdf");
  });

  it("is what the sender says where the bytes allow both", async () => {
    expect(await typeOf(mp4(), { mimeType: "audio/mp4" })).toBe("audio/mp4");
    expect(await typeOf(mp4(), { filename: "voice.m4a" })).toBe("audio/mp4");
    expect(await typeOf(mp4(), { filename: "voice.m4a", mimeType: "application/octet-stream" })).toBe("audio/mp4");
    expect(await typeOf(mp4(), { filename: "voice", mimeType: "audio/m4a" })).toBe("audio/mp4");
    expect(await typeOf(mp4(), { filename: "tour.m4a", mimeType: "video/mp4" })).toBe("video/mp4");
    expect(await typeOf(JPEG, { mimeType: "audio/mp4", filename: "voice.m4a" })).toBe("image/jpeg");
    expect(await typeOf(cfb(["EncryptedPackage"]), { filename: "pay.XLSX" })).toBe(`${OOXML}.spreadsheetml.sheet`);
    expect(await typeOf(cfb(["EncryptedPackage"]), { filename: "pay.msi" })).toBeNull();
  });
});

it("has the provider's limits", () => {
  const limit = (mime: string, isAnimated = false) => fileTypeOf(mime, { isAnimated })?.limitBytes;
  expect(limit("image/png")).toBe(5 * 1_024 * 1_024);
  expect(limit("audio/ogg")).toBe(16 * 1_024 * 1_024);
  expect(limit("application/pdf")).toBe(100 * 1_024 * 1_024);
  expect(limit("image/webp")).toBe(100 * 1_024);
  expect(limit("image/webp", true)).toBe(500 * 1_024);
  expect(typeOfMime("image/webp")).toBe("sticker");
});
