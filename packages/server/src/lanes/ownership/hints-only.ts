import type { Announcer, Notifier } from "./notifier.ts";

/** The announcer of a process without lanes: what it commits is only hinted. */
export const hintsOnly = (hint: Notifier["hint"] = () => undefined): Announcer => ({
  hint,
  handsOver: () => false,
  isOwn: () => false,
  handOver: () => ({
    give: (kind, rows) =>
      hint(
        kind,
        rows.map(({ slot }) => slot),
      ),
    end: () => undefined,
  }),
});
