import { Store } from "../store.ts";

/** Work of the gateway that takes long, and has a resource that says how far it is. */
export type Work = { kind: "import" | "signup"; id: string } | { kind: "replay"; id: string; endpointId: string };

/** What this tab began under its session and has not seen the end of, the oldest first. */
export const works = new Store<readonly Work[]>([]);

/** In the tab's own storage, so that it is there after a reload. Ids alone: what they are of is asked for. */
const PLACE = "waypost-works";
/** More than a person begins before the first has ended; beyond it the oldest are forgotten. */
const MOST_WORKS = 20;

type Kept = { session: string; works: readonly Work[] };
let session = "";

/** Goes on with what this session began. What another one began in this tab is forgotten. */
export function openWorks(sessionId: string): void {
  const kept = keptWorks();
  session = sessionId;
  set(kept?.session === sessionId ? kept.works : []);
}

export const begun = (work: Work): void =>
  set([...works.get().filter(({ id }) => id !== work.id), work].slice(-MOST_WORKS));

export const seen = (id: string): void => set(works.get().filter((work) => work.id !== id));

export const forgetWorks = (): void => set([]);

function set(next: readonly Work[]): void {
  works.set(next);
  try {
    if (next.length === 0) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, JSON.stringify({ session, works: next } satisfies Kept));
  } catch {
    // Switched off: it lasts as long as the page.
  }
}

function keptWorks(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as Kept | null; // as set writes it
  } catch {
    return null;
  }
}
