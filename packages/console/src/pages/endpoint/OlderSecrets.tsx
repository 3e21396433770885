import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { rotationsQuery } from "../../api/queries/webhooks.ts";
import { can } from "../../api/session.ts";
import { now } from "../../parts/now.ts";
import { Problem } from "../../parts/Problem.tsx";
import { exactDate, span } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { endsOfOlder } from "./rotations.ts";

const app = getRouteApi("/app");
const SCOPE = "audit:read";
const words = text.endpoint;

/** Until when older secrets of an endpoint sign beside the present one, counting down: the log of calls has what each rotation promised. */
export function OlderSecrets({ endpointId }: { endpointId: string }) {
  const { session } = app.useRouteContext();
  const isSeen = can(session, SCOPE);
  const { data, error, refetch } = useQuery({ ...rotationsQuery(endpointId), enabled: isSeen });
  const [current, shown] = [useStore(now), useStore(zone)];
  if (!isSeen) return <span className="muted">{text.problem.forbidden(SCOPE)}</span>;
  if (data === undefined) return error === null ? text.loading : <Problem error={error} retry={() => void refetch()} />;
  const ends = endsOfOlder(data, current);
  if (ends.length === 0) return words.noOlder;
  return (
    <ul>
      {ends.map((end, index) => (
        <li key={index}>{words.olderEnds(exactDate(end, shown), span(end - current))}</li>
      ))}
    </ul>
  );
}
