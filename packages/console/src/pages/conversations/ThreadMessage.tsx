import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ListedMessage } from "@waypost/sdk";
import { templateQuery } from "../../api/queries/templates.ts";
import { can } from "../../api/session.ts";
import { bubbleOf } from "../../parts/phone/bubble.ts";
import { type Bubble, EMPTY, fieldsOf, textOf } from "../../parts/phone/bubble-shape.ts";
import { inlineOf } from "../../parts/phone/inline.ts";
import { BubbleView } from "../../parts/phone/PhonePreview.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Media } from "./Media.tsx";
import styles from "./thread.module.css";

const words = text.conversations;
const app = getRouteApi("/app");

/** A message of a thread: its bubble, when it was, and what became of it. */
export function ThreadMessage({ message }: { message: ListedMessage }) {
  const { direction, status, error, origin, handled_by: by } = message;
  const isOurs = direction === "outbound";
  const bubble = useBubble(message);
  const media = textOf(fieldsOf(message[message.type])["id"]);
  return (
    <li className={styles["message"]} data-ours={isOurs}>
      {media?.startsWith("med_") && (
        <Media id={media} isPicture={message.type === "image" || message.type === "sticker"} />
      )}
      {bubble === null ? (
        <p className="muted">{message[message.type] === null ? words.gone : text.phone.unsupported}</p>
      ) : (
        <BubbleView bubble={bubble} />
      )}
      <p className={styles["meta"]}>
        {origin === "business_app" && <span>{words.fromPhone}</span>}
        {origin === "history" && <span>{words.history}</span>}
        {origin === undefined && by === "other" && <span>{words.byOther}</span>}
        <Link {...paths.message(message.id)}>
          <Time at={message.occurred_at ?? message.created_at} />
        </Link>
        {isOurs && (
          <span className={styles["state"]} data-state={status}>
            <StateSign state={status} />
            <span className={error === null ? "visually-hidden" : undefined}>
              {text.status[status] ?? status}
              {error !== null && (
                <>
                  : <ServerText>{error.title}</ServerText>
                </>
              )}
            </span>
          </span>
        )}
      </p>
    </li>
  );
}

/** A template needs its definition; until that is there, and for keys that may not see it, its line stands for it. */
function useBubble(message: ListedMessage): Bubble | null {
  const { session } = app.useRouteContext();
  const sent = message.type === "template" ? fieldsOf(message.template) : {};
  const [name, language] = [textOf(sent["name"]), textOf(fieldsOf(sent["language"])["code"])];
  const { data: template } = useQuery({
    ...templateQuery(name ?? "", language ?? ""),
    enabled: name !== null && language !== null && can(session, "templates:read"),
  });
  if (name === null || template) return bubbleOf(message, template?.components ?? null);
  return { ...EMPTY, body: inlineOf(message.preview ?? name) };
}
