import { useState } from "react";
import { span } from "../../parts/time-format.ts";
import { text } from "../../text/text.ts";
import { paceOf, type Sample, sampled } from "./reading-pace.ts";

/** How fast an import goes, and when it ends so; not read aloud, as it is another one every second. `now`: how far it is. */
export function Pace({ now, total }: { now: Sample; total: number }) {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const next = sampled(samples, now);
  if (next !== samples) setSamples(next);
  const pace = paceOf(next, total);
  return pace === null ? null : <p className="muted">{text.imports.pace(Math.round(pace.rows), span(pace.restMs))}</p>;
}
