import { getRouteApi } from "@tanstack/react-router";
import type { NewReplay, WebhookEndpoint } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { KINDS } from "../../api/event-kinds.ts";
import { begun } from "../../api/works.ts";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { ChecksField, SelectField, TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { type Given, timeInput } from "../../parts/form-field.ts";
import { now } from "../../parts/now.ts";
import { paths } from "../../paths.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./endpoint.module.css";
import { WatchedReplay } from "./WatchedReplay.tsx";

const route = getRouteApi("/app/workspace/endpoints/$id");
const words = text.replay;
const DAY_MS = 86_400_000;
const ONLY = (["failed", "missing", "all"] as const).map((value) => ({ value, label: words.only[value] }));

/** Sends events of a time again: they are counted first, and sent when the number is as expected. */
export function Replays({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { replay } = route.useSearch();
  return replay === undefined ? (
    <Count endpoint={endpoint} />
  ) : (
    <WatchedReplay key={replay} endpoint={endpoint} id={replay} />
  );
}

function Count({ endpoint: { id, format, events } }: { endpoint: WebhookEndpoint }) {
  const navigate = route.useNavigate();
  const shown = useStore(zone);
  const kinds = events.includes("*") ? Object.values(KINDS).flat() : events;
  return (
    <div className={styles["narrow"]}>
      <p className="muted">{words.lead}</p>
      <Form
        label={words.title}
        action={words.count}
        busy={words.counting}
        scope="webhooks:write"
        submit={(given, idempotencyKey) =>
          waypost.webhookEndpoints.createReplay(id, rangeIn(given), { idempotencyKey })
        }
        asks={(given) => ({ path: `v1/webhook-endpoints/${id}/replays`, body: rangeIn(given) })}
        onDone={({ id: replay }) => {
          begun({ kind: "replay", id: replay, endpointId: id });
          void navigate(paths.endpoint(id, { tab: "replays", replay }));
        }}
      >
        <TextField
          key={`after ${shown}`} // what was given in one zone is another time in the other
          path="created_after"
          label={words.after}
          help={words.afterHelp}
          type="datetime-local"
          required
          defaultValue={timeInput(new Date(now.get() - DAY_MS).toISOString(), shown)}
        />
        <TextField
          key={`before ${shown}`}
          path="created_before"
          label={words.before}
          help={words.beforeHelp}
          type="datetime-local"
        />
        <SelectField path="only" label={words.which} required options={ONLY} />
        {format === "waypost" && (
          <ChecksField
            path="events"
            label={words.events}
            help={words.eventsHelp}
            groups={[{ options: kinds.map((kind) => ({ value: kind, label: nameOfKind(kind), code: kind })) }]}
          />
        )}
      </Form>
    </div>
  );
}

function rangeIn(given: Given): NewReplay {
  const before = given.time("created_before");
  const events = given.list("events") as NonNullable<NewReplay["events"]>; // the form's own
  return {
    created_after: given.time("created_after") ?? "",
    ...(before === null ? {} : { created_before: before }),
    ...(events.length === 0 ? {} : { events }),
    only: given.text("only") as NonNullable<NewReplay["only"]>, // the form's own
    dry_run: true,
  };
}
