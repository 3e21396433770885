import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Conversation, ListedMessage } from "@waypost/sdk";
import { ArrowLeft } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { conversationQuery, threadQuery } from "../../api/queries/conversations.ts";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { span } from "../../parts/time-format.ts";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { Owner } from "./Owner.tsx";
import { personOf } from "./person.ts";
import { Reply } from "./Reply.tsx";
import type { ConversationsSearch } from "./search.ts";
import { ThreadMessage } from "./ThreadMessage.tsx";
import styles from "./thread.module.css";
import { useRead } from "./use-read.ts";

const words = text.conversations;

/** The messages of a person on a number, and the place to answer. */
export function Thread({ contact, number, search }: { contact: string; number: string; search: ConversationsSearch }) {
  const { data: conversation, error, refetch } = useQuery(conversationQuery(contact, number));
  const thread = useInfiniteQuery(threadQuery(contact, number));
  const messages = thread.data?.pages.flatMap(({ data }) => data).toReversed();
  useRead(conversation ?? null, messages ?? []);
  const problem = error ?? thread.error;
  return (
    <section className={styles["thread"]}>
      <Link {...paths.conversations(search)} className={styles["back"]}>
        <ArrowLeft className="mirrored" size={16} aria-hidden /> {words.back}
      </Link>
      {problem !== null && (
        <Problem error={problem} retry={() => void (error === null ? thread : { refetch }).refetch()} />
      )}
      {conversation === null && <PageHead title={words.notFound} lead={text.message.notFoundHelp} />}
      {conversation === undefined && problem === null && <Skeleton label={text.loading} rows={10} />}
      {conversation && (
        <>
          <Head conversation={conversation} />
          <Messages
            person={personOf(conversation)}
            messages={messages ?? []}
            earlier={thread.hasNextPage ? () => void thread.fetchNextPage() : null}
          />
          <Reply conversation={conversation} />
        </>
      )}
    </section>
  );
}

function Head({ conversation }: { conversation: Conversation }) {
  const current = useStore(now);
  const {
    contact_id: id,
    phone_number_id,
    contact: { name, phone },
    window: { open, expires_at: end },
  } = conversation;
  const leftMs = end === null ? 0 : Date.parse(end) - current;
  return (
    <PageHead
      title={personOf(conversation)}
      lead={
        <span className={styles["facts"]}>
          {name !== null && phone !== null && <span dir="ltr">{grouped(phone)}</span>}
          <span data-open={open} className={styles["window"]}>
            {open && leftMs > 0 ? words.windowOpen(span(leftMs)) : words.windowClosed}
          </span>
        </span>
      }
    >
      <Owner conversation={conversation} />
      <CopyCurl path={`v1/conversations/${id}/messages${stringifySearch({ phone_number_id })}`} />
    </PageHead>
  );
}

/** Oldest first; the end is in view at first, and stays there while it was. */
function Messages({
  person,
  messages,
  earlier,
}: {
  person: string;
  messages: readonly ListedMessage[];
  earlier: (() => void) | null;
}) {
  const pane = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const newest = messages.at(-1)?.id;
  useLayoutEffect(() => {
    if (newest !== undefined && isAtEnd.current) pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [newest]);
  useEffect(() => {
    if (list.current === null) return;
    // What is loaded makes the list longer.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) pane.current?.scrollTo({ top: pane.current.scrollHeight });
    });
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={pane}
      className={styles["messages"]}
      role="log"
      aria-label={words.thread(person)}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
      }}
    >
      {earlier !== null && (
        <button type="button" className={controls["quiet"]} onClick={earlier}>
          {words.earlier}
        </button>
      )}
      <ol ref={list}>
        {messages.map((message) => (
          <ThreadMessage key={message.id} message={message} />
        ))}
      </ol>
    </div>
  );
}

/** A person who has scrolled less than a line up still reads the end. */
const AT_END_PX = 24;
