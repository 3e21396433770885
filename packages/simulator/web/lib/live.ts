import { setText } from "./dom.ts";

/** Follows `/sim/stream`; the browser connects again by itself, and then gets everything again by `state`. */
export function follow(live: Element, on: Readonly<Record<string, (data: never) => void>>): void {
  const stream = new EventSource("/sim/stream");
  for (const [name, run] of Object.entries(on))
    stream.addEventListener(name, (event) => {
      setText(live, "Live");
      run(JSON.parse(String((event as MessageEvent).data)) as never); // the shapes of `src/pages/stream.ts`
    });
  stream.addEventListener("error", () => setText(live, "Connecting…"));
}
