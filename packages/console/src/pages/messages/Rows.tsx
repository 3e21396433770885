import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { arrived } from "../../api/live.ts";
import { messagesQuery } from "../../api/queries/messages.ts";
import { Beside, focusRow, useIsWide } from "../../parts/Beside.tsx";
import { CopyButton } from "../../parts/Copy.tsx";
import { commandOf } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "./columns.tsx";
import { freshOn } from "./fresh.ts";
import { askedOf, type MessagesSearch } from "./search.ts";

const MessageSheet = lazy(async () => ({ default: (await import("./MessageSheet.tsx")).MessageSheet }));

/** A page of the list; on a wide screen with a message beside it, whose address is that of its own page. */
export function Rows({ search }: { search: MessagesSearch }) {
  const { open = null, tab } = search;
  const asked = askedOf(search);
  const { cursor, ...filters } = asked;
  const navigate = useNavigate();
  const isWide = useIsWide();
  const { data, error, refetch, isPlaceholderData } = useQuery(messagesQuery(asked));
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={14} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  const page = { rows: data.data, isFull: data.nextCursor !== null, filters };
  const pill = cursor === undefined && <FreshPill page={page} refetch={() => void refetch()} />;
  if (data.data.length === 0 && cursor === undefined && open === null)
    return (
      <>
        {pill}
        <Nothing isFiltered={Object.keys(filters).length > 0} />
      </>
    );
  const openLink = (id: string) => (isWide ? paths.messageBeside(asked, id) : paths.message(id));
  const close = (): void => {
    if (open !== null) focusRow(open);
    void navigate({ ...paths.messages(asked), resetScroll: false });
  };
  return (
    <Beside
      open={open}
      keys={data.data.map(({ id }) => id)}
      onOpen={(id) => void navigate({ ...openLink(id), replace: true })}
      onClose={close}
      detail={
        <Suspense fallback={<Skeleton label={text.loading} />}>
          <MessageSheet id={open ?? ""} tab={tab} search={asked} onClose={close} />
        </Suspense>
      }
    >
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {pill}
      <DataTable
        label={text.messages.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => openLink(id)}
        isStale={isPlaceholderData}
        openKey={open}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.messages({ ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.messages(filters)}
      />
    </Beside>
  );
}

/** New messages are announced and not slid in: nothing moves under the hand. */
function FreshPill({ page, refetch }: { page: Parameters<typeof freshOn>[0]; refetch(): void }) {
  const count = freshOn(page, useStore(arrived).values());
  if (count === 0) return null;
  return (
    <p role="status">
      <button type="button" className={controls["quiet"]} onClick={refetch}>
        {text.messages.fresh(count)}
      </button>
    </p>
  );
}

const EXAMPLE = {
  to: "+15551230001",
  type: "template",
  template: { name: "order_ready", language: { code: "en_US" } },
};

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const navigate = useNavigate();
  if (isFiltered)
    return (
      <Empty title={text.messages.none}>
        <p className="muted">{text.messages.noneHelp}</p>
        <button type="button" className={controls["button"]} onClick={() => void navigate(paths.messages())}>
          {text.messages.all}
        </button>
      </Empty>
    );
  const command = commandOf({ path: "v1/messages", body: EXAMPLE });
  return (
    <Empty title={text.messages.empty}>
      <p className="muted">{text.messages.emptyHelp}</p>
      <pre tabIndex={0}>{command}</pre>
      <CopyButton className={controls["button"] ?? ""} value={command} label={text.message.curl}>
        {text.message.curl}
      </CopyButton>
    </Empty>
  );
}
