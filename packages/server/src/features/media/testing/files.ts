// Small files of each type, made here: enough of each to be known by.

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const text = (value: string): Buffer => Buffer.from(value, "latin1");

export const JPEG = Buffer.concat([
  bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16),
  text("JFIF\0"),
  Buffer.alloc(64, 1),
  bytes(0xff, 0xd9),
]);

export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export function webp({ isAnimated = false, size = 64 } = {}): Buffer {
  const head = Buffer.concat([
    text("RIFF"),
    bytes(0, 0, 0, 0),
    text("WEBPVP8X"),
    bytes(10, 0, 0, 0, isAnimated ? 2 : 0),
  ]);
  return Buffer.concat([head, Buffer.alloc(size - head.length)]);
}

export const mp4 = (brand = "isom"): Buffer =>
  Buffer.concat([bytes(0, 0, 0, 24), text(`ftyp${brand}`), bytes(0, 0, 2, 0), text("isommp41"), Buffer.alloc(64)]);

export function ogg(codec: "OpusHead" | "\x01vorbis"): Buffer {
  const head = Buffer.alloc(28);
  text("OggS").copy(head);
  head[26] = 1;
  head[27] = 30;
  return Buffer.concat([head, text(codec), Buffer.alloc(64)]);
}

export const MP3 = Buffer.concat([
  text("ID3"),
  bytes(3, 0, 0, 0, 0, 0, 0),
  bytes(0xff, 0xfb, 0x90, 0x64),
  Buffer.alloc(64),
]);
export const AAC = Buffer.concat([bytes(0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc), Buffer.alloc(64)]);
export const AMR = Buffer.concat([text("#!AMR\n"), Buffer.alloc(64, 0x3c)]);
export const PDF = text("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n");
export const SVG = text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
export const HTML = text("<!doctype html><html><script>alert(1)</script></html>");
export const EXE = Buffer.concat([text("MZ"), Buffer.alloc(200), text("PE\0\0")]);

/** An archive whose entries are stored, not compressed; `claims` is the size that each says it has unpacked. */
export function zip(names: readonly string[], { claims = 0 } = {}): Buffer {
  const locals: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt32LE(claims, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(claims, 24);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, text(name));
    table.push(entry, text(name));
    offset += 30 + name.length;
  }
  const directory = Buffer.concat(table);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

const TYPES = "[Content_Types].xml";
export const DOCX = zip([TYPES, "_rels/.rels", "word/document.xml"]);
export const XLSX = zip([TYPES, "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml"]);
export const PPTX = zip(["ppt/presentation.xml", TYPES]);
export const DOCM = zip([TYPES, "word/document.xml", "word/vbaProject.bin"]);
/** A sheet that would be four gigabytes unpacked. */
export const BOMB = zip([TYPES, "xl/workbook.xml", "xl/worksheets/sheet1.xml"], { claims: 0xfffffffe });

/** A compound file with these streams, whose directory has more than one sector when there are more than three. */
export function cfb(streams: readonly string[]): Buffer {
  const SECTOR = 512;
  const entries = ["Root Entry", ...streams];
  const sectors = Math.ceil(entries.length / 4);
  const header = Buffer.alloc(SECTOR);
  bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1).copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48); // the directory begins in sector 1
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76); // the table is sector 0
  const table = Buffer.alloc(SECTOR, 0xff);
  for (let n = 0; n < sectors; n++) table.writeUInt32LE(n === sectors - 1 ? 0xfffffffe : n + 2, (n + 1) * 4);
  const directory = Buffer.alloc(sectors * SECTOR);
  for (const [index, name] of entries.entries()) {
    directory.write(name, index * 128, "utf16le");
    directory.writeUInt16LE((name.length + 1) * 2, index * 128 + 64);
  }
  return Buffer.concat([header, table, directory, Buffer.alloc(SECTOR)]);
}
