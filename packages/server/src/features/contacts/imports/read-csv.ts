import { type Parser, parse } from "csv-parse";
import { Unfinishable } from "../../tasks/long-task.ts";
import { LARGEST_ROW, LARGEST_ROW_BYTES, type Piece, type Place, piecesOf, type RawRow } from "./reading.ts";

const LF = 10;

/** The records of a CSV file (RFC 4180) from a place on, piece by piece, each with the place behind it. Rows with nothing in them are none. */
export async function* readRecords(
  bytes: AsyncIterable<Buffer>,
  from: Place,
  delimiter: string,
): AsyncGenerator<Piece<string[]>> {
  const reader = new RecordReader(from, delimiter);
  for await (const piece of piecesOf(bytes)) {
    yield { rows: reader.write(piece), behind: reader.behind };
    reader.requireSound();
  }
  yield { rows: reader.end(), behind: reader.behind };
  reader.requireSound();
}

/** Drives the parser synchronously, so that all records ahead of a fault are had, and counts the lines, which the parser counts otherwise. */
class RecordReader {
  readonly #parser: Parser;
  readonly #from: Place;
  #found: { value: string[]; end: number }[] = [];
  /** The end of the last record, since `from`. */
  #end = 0;
  /** Bytes since `from` that were given to the parser, and up to which lines are counted. */
  #given = 0;
  #counted = 0;
  /** Line on which the next record begins, and line ends counted since. */
  #line: number;
  #lineEnds = 0;

  constructor(from: Place, delimiter: string) {
    this.#from = from;
    this.#line = from.line;
    this.#parser = parse({
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_quotes: true, // `6" pipe` is no reason to refuse a file
      relax_column_count: true, // a row of another length is refused by itself
      max_record_size: LARGEST_ROW_BYTES,
      on_record: (value: string[], { bytes }) => {
        this.#found.push({ value, end: bytes });
        return null;
      },
    });
    this.#parser.on("error", () => {}); // read from `errored`
    this.#parser.resume();
  }

  /** The place behind the last record, an empty line perhaps. */
  get behind(): Place {
    return { offset: this.#from.offset + this.#end, line: this.#line };
  }

  write(chunk: Buffer): RawRow<string[]>[] {
    this.#parser.write(chunk);
    const rows = this.#take((from, to) => countLineEnds(chunk, from - this.#given, to - this.#given));
    this.#lineEnds += countLineEnds(chunk, Math.max(0, this.#counted - this.#given), chunk.length);
    this.#given += chunk.length;
    this.#counted = this.#given;
    return rows;
  }

  end(): RawRow<string[]>[] {
    this.#parser.end();
    return this.#take(() => 0);
  }

  #take(lineEndsIn: (from: number, to: number) => number): RawRow<string[]>[] {
    const found = this.#found.splice(0);
    return found.flatMap(({ value, end }) => {
      const line = this.#line;
      this.#lineEnds += lineEndsIn(this.#counted, end);
      this.#counted = Math.max(this.#counted, end);
      this.#line += Math.max(1, this.#lineEnds); // lines that end with CR alone are one each
      this.#lineEnds = 0;
      this.#end = end;
      if (value.every((cell) => cell.trim() === "")) return [];
      return [{ value, line, next: this.behind }];
    });
  }

  /** Throws when the parser has stopped: there is no way to know where the next record would begin. */
  requireSound(): void {
    const error = this.#parser.errored;
    if (!error) return;
    throw new Unfinishable(
      "invalid_csv",
      `Line ${this.#line}: the row does not end within ${LARGEST_ROW}; a quote may not be closed. Rows above it were imported.`,
    );
  }
}

function countLineEnds(chunk: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = chunk.indexOf(LF, Math.max(0, from)); at >= 0 && at < to; at = chunk.indexOf(LF, at + 1)) count += 1;
  return count;
}
