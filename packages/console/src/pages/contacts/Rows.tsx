import { useQuery } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { contactsQuery } from "../../api/queries/contacts.ts";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Beside, type OpenRow, under, useOpenRow } from "../../parts/Beside.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import type { ContactSearch } from "../contact/search.ts";
import { BulkTags } from "./BulkTags.tsx";
import { COLUMNS, nameOf } from "./columns.tsx";
import { askedOf, type ContactsSearch, contactsSearch } from "./search.ts";

const words = text.contacts;
const ContactView = lazy(async () => ({ default: (await import("../contact/ContactView.tsx")).ContactView }));

/** A page of the list; on a wide screen with a contact beside it, whose address is that of its own page. */
export function Rows({ search }: { search: ContactsSearch }) {
  const { beside, sheet, other } = search;
  const asked = askedOf(search);
  const { data } = useQuery(contactsQuery(asked));
  const list = (id?: string, { open, ...rest }: ContactSearch = {}) =>
    paths.contacts(contactsSearch({ ...asked, beside: id, sheet: open, ...rest }));
  const opened: ContactSearch = { ...(sheet && { open: sheet }), ...(other && { other }) };
  const openOf = (id: string | undefined) => (id === beside ? opened : {});
  const row = useOpenRow({
    open: beside,
    list: (id) => list(id, openOf(id)),
    page: (id) => paths.contact(id, openOf(id)),
  });
  return (
    <Beside
      row={row}
      keys={data?.data.map(({ id }) => id) ?? []}
      detail={
        beside && (
          <ContactView
            id={beside}
            search={opened}
            linkTo={(own) => under(list(beside, own), paths.contact(beside, own))}
            onGone={row.leave}
          />
        )
      }
    >
      <List asked={asked} row={row} />
    </Beside>
  );
}

function List({ asked, row }: { asked: ReturnType<typeof askedOf>; row: OpenRow }) {
  const { cursor, ...filters } = asked;
  const list = useQuery(contactsQuery(asked));
  const { data, error, refetch, isPlaceholderData } = list;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  const { data: rows, nextCursor } = data;
  // What is done is done to those who are seen.
  const chosen = rows.filter(({ id }) => picked.has(id));
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      <BulkTags rows={rows} chosen={chosen} onChoose={setPicked} />
      {hasNothing(list, cursor) ? (
        <None isFiltered={Object.keys(filters).length > 0} />
      ) : (
        <>
          <DataTable
            label={words.title}
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            linkOf={({ id }) => row.linkTo(id)}
            openKey={row.open}
            isStale={isPlaceholderData}
            choosing={{
              head: text.bulk.choose,
              labelOf: (contact) => text.bulk.chooseOne(nameOf(contact)),
              chosen: picked,
              onChoose: setPicked,
            }}
          />
          <Pages
            older={nextCursor === null ? null : paths.contacts({ ...filters, cursor: nextCursor })}
            newest={cursor === undefined ? null : paths.contacts(filters)}
          />
        </>
      )}
    </>
  );
}

const None = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <NoneFit title={words.none} all={paths.contacts()} />
  ) : (
    <Empty title={words.empty} example={EXAMPLES.contact}>
      <p className="muted">{words.emptyHelp}</p>
      <ActionLink scope="contacts:write" look="primary" {...paths.contacts({ open: "new" })}>
        {text.newContact.create}
      </ActionLink>
    </Empty>
  );
