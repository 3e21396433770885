import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../problem.ts";
import { type BodyRoom, type HeldBody, KeyedRoom, UnverifiedRoom } from "./body-room.ts";
import { invite } from "./continue.ts";
import type { SlowBodies } from "./slow-bodies.ts";

/** What a piece of a body takes beside its bytes: a body in chunks of one byte would otherwise take hundreds of times its length. */
const PIECE_BYTES = 256;

/** Default: those of `SlowBodies` and of body-room.ts. */
export type BodyLimits = { ms?: number; unverifiedBytes?: number; keyedBytes?: number };

type Done = (error: Error | null, body?: Buffer) => void;

/** Receives the bodies that are kept in memory. */
export class Bodies {
  readonly #slow: SlowBodies;
  readonly #unverified: BodyRoom;
  readonly #keyed: KeyedRoom;

  constructor(slow: SlowBodies, { unverifiedBytes, keyedBytes }: BodyLimits = {}) {
    this.#slow = slow;
    this.#unverified = new UnverifiedRoom(unverifiedBytes);
    this.#keyed = new KeyedRoom(keyedBytes);
  }

  /** The body of an admitted request; at most as many bytes as its route takes. Where no caller is named, all of it proves its sender. */
  receive({ raw, state }: FastifyRequest, done: Done): void {
    const { response, match, surface } = state;
    const { mostBodyBytes: mostBytes } = match;
    const expected = Number(raw.headers["content-length"] ?? Number.NaN);
    if (expected > mostBytes) return done(tooLarge());
    const room = surface.callers === null ? this.#unverified : this.#keyed.of(state.workspaceId);
    const body = new ArrivingBody(raw, { response, expected, mostBytes, room }, done);
    invite(response);
    this.#slow.watch(raw, (problem) => body.refuse(problem));
  }
}

const tooLarge = (): Problem => new Problem("payload_too_large", "The body is larger than this path takes.");

type Arrival = { response: ServerResponse; expected: number; mostBytes: number; room: BodyRoom };

/** One body, from its first bytes until it is whole, refused, or its sender is gone. */
class ArrivingBody implements HeldBody {
  heldBytes = 0;
  readonly #raw: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #mostBytes: number;
  /** NaN: not said. */
  readonly #expected: number;
  readonly #room: BodyRoom;
  #done: Done | null;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(raw: IncomingMessage, { response, expected, mostBytes, room }: Arrival, done: Done) {
    this.#raw = raw;
    this.#response = response;
    this.#expected = expected;
    this.#mostBytes = mostBytes;
    this.#room = room;
    this.#done = done;
    raw.on("data", this.#add);
    raw.on("end", this.#end);
    raw.on("error", this.#fail);
  }

  readonly #add = (piece: Buffer): void => {
    this.#length += piece.length;
    if (this.#length > this.#mostBytes) return this.refuse(tooLarge());
    this.#pieces.push(piece);
    // All of it at once, as nearly always: it needs no room.
    if (piece.length === this.#expected) return;
    if (this.heldBytes === 0) this.#response.once("close", () => this.#room.leave(this));
    this.#room.add(this, piece.length + PIECE_BYTES);
  };

  readonly #end = (): void => {
    const [first] = this.#pieces;
    const body = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#length);
    this.#room.whole(this);
    this.#settle(null, body);
  };

  readonly #fail = (error: Error): void => this.#settle(error);

  /** What arrives after it is dropped. */
  refuse(problem: Problem): void {
    this.#settle(problem);
  }

  #settle(error: Error | null, body?: Buffer): void {
    const done = this.#done;
    if (done === null) return;
    this.#done = null;
    this.#pieces = [];
    this.#raw.off("data", this.#add).off("end", this.#end);
    if (error) {
      this.#room.leave(this);
      this.#raw.resume();
    }
    done(error, body);
  }
}
