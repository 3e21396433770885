import { Link } from "@tanstack/react-router";
import type { Conversation } from "@waypost/sdk";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { personOf } from "./person.ts";
import styles from "./rows.module.css";
import type { ConversationsSearch, Open } from "./search.ts";

const words = text.conversations;

/** A line for each conversation: who, the last message, and what is unread. */
export function ConversationRows({
  conversations,
  open,
  search,
}: {
  conversations: readonly Conversation[];
  open: Open | null;
  search: ConversationsSearch;
}) {
  return (
    <ul className={styles["rows"]}>
      {conversations.map((one) => (
        <Row
          key={`${one.contact_id} ${one.phone_number_id}`}
          conversation={one}
          search={search}
          isOpen={open?.contact === one.contact_id && open.number === one.phone_number_id}
        />
      ))}
    </ul>
  );
}

function Row({
  conversation,
  search,
  isOpen,
}: {
  conversation: Conversation;
  search: ConversationsSearch;
  isOpen: boolean;
}) {
  const { contact_id: contact, phone_number_id: number, last_message: last, unread_count: unread } = conversation;
  return (
    <li>
      <Link
        {...paths.conversation(contact, number, search)}
        className={styles["row"]}
        aria-current={isOpen ? "true" : undefined}
        data-open={isOpen}
      >
        <span className={styles["who"]} dir="auto">
          {personOf(conversation)}
        </span>
        <span className={styles["when"]}>
          <Time at={conversation.updated_at} />
        </span>
        <span className={styles["last"]}>
          {last.direction === "outbound" && <StateSign state={last.status} />}
          <span dir="auto">{last.preview ?? last.type}</span>
        </span>
        {unread > 0 && (
          <span className={styles["unread"]}>
            <span aria-hidden>{unread}</span>
            <span className="visually-hidden">{words.unread(unread)}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
