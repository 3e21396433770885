import { shareAnswer } from "./answer.ts";
import { MalformedAnswerError, WaypostError } from "./errors.ts";

/** The answer of a list as the API returns it. A list that is read again later, for what has changed since, says by `has_more` where it ends. */
export type ListBody<T> = { data: T[]; next_cursor: string | null; has_more?: boolean };

/** One page of a list. */
export class Page<T> {
  readonly data: readonly T[];
  /** Pass it as `cursor` to continue later; null on the last page, unless the list may have more later. */
  readonly nextCursor: string | null;
  /** False on the last page. */
  readonly hasMore: boolean;
  readonly #follow: (cursor: string) => Promise<Page<T>>;

  constructor(body: ListBody<T>, follow: (cursor: string) => Promise<Page<T>>) {
    this.data = body.data;
    this.nextCursor = body.next_cursor;
    this.hasMore = body.has_more ?? body.next_cursor !== null;
    this.#follow = follow;
    shareAnswer(this, body);
  }

  /** The next page, or null after the last. */
  async next(): Promise<Page<T> | null> {
    if (!this.hasMore || this.nextCursor === null) return null;
    const next = await this.#follow(this.nextCursor);
    if (next.nextCursor === this.nextCursor)
      throw new WaypostError("the list does not move on", { requestId: null, attempts: 1 });
    return next;
  }
}

/** A list: `await` it for its first page, or `for await` over the items of all pages. The first request leaves at once. */
export class Listing<T> extends Promise<Page<T>> implements AsyncIterable<T> {
  // `then` gives plain promises.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of<T>(fetchPage: (cursor: string | undefined) => Promise<ListBody<T>>): Listing<T> {
    const open = async (cursor: string | undefined): Promise<Page<T>> => {
      const body: ListBody<T> | null = await fetchPage(cursor); // null for an empty answer
      if (!Array.isArray(body?.data))
        throw new MalformedAnswerError("the answer is not a list", 200, { requestId: null, attempts: 1 });
      return new Page(body, open);
    };
    return new Listing<T>((resolve, reject) => {
      open(undefined).then(resolve, reject);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: Page<T> | null = await this; page !== null; page = await page.next()) yield* page.data;
  }
}
