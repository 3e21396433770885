import { text } from "../text/text.ts";
import { Coded } from "./Coded.tsx";
import type { Filter } from "./FilterInput.tsx";

const NAMES: Readonly<Record<string, string>> = text.kinds;
const known = (kind: string): string | null => (Object.hasOwn(NAMES, kind) ? (NAMES[kind] ?? null) : null);

/** What a kind of event is called; one that this version does not know, by its code. */
export const nameOfKind = (kind: string): string => known(kind) ?? kind;

export const EventKind = ({ kind }: { kind: string }) => <Coded name={known(kind)} code={kind} />;

/** The filter of a list by kinds of events. */
export const kindFilter = (label: string): Filter => ({
  name: "kind",
  label,
  kind: "choice",
  values: Object.keys(NAMES),
  labelOf: (kind) => [known(kind), kind].filter(Boolean).join(" · "),
});

type EventKindsProps = {
  kinds: readonly string[];
  /** What `*` is called. */
  all: string;
};

/** Several, each on a line. */
export function EventKinds({ kinds, all }: EventKindsProps) {
  return (
    <ul>
      {kinds.map((kind) => (
        <li key={kind}>{kind === "*" ? all : <EventKind kind={kind} />}</li>
      ))}
    </ul>
  );
}
