import type { HotFunction } from "../../db/hot-function.ts";
import type { ForgetSome, Forgetting } from "../../forgetting.ts";
import { endErasures, eraseContacts, eraseLate, keepErasureProgress } from "./erase.store.ts";

/** A feature, as far as an erasure concerns it. */
export type Forgets = { name: string; forgets?: Forgetting };

/** What an erasure does in a process: the steps of all its features, in their order. */
export class Erasure {
  readonly contacts: ReturnType<typeof eraseContacts>;
  readonly late: ReturnType<typeof eraseLate>;
  /** Each feature that goes on in pieces, by its name. Progress is kept by the name, so one that is renamed begins again. */
  readonly inPieces: readonly { feature: string; some: ForgetSome }[];

  constructor(features: readonly Forgets[]) {
    this.contacts = eraseContacts(features.flatMap(({ forgets }) => forgets?.atOnce ?? []));
    this.late = eraseLate(features.flatMap(({ forgets }) => forgets?.late ?? []));
    this.inPieces = features.flatMap(({ name: feature, forgets }) =>
      forgets?.inPieces ? [{ feature, some: forgets.inPieces }] : [],
    );
  }

  /** Its database functions, for `migrate`. */
  get functions(): readonly HotFunction[] {
    return [this.contacts, this.late, keepErasureProgress, endErasures];
  }
}
