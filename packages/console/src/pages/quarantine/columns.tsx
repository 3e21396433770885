import { Link } from "@tanstack/react-router";
import type { QuarantinedChange } from "@waypost/sdk";
import type { Column } from "../../parts/DataTable.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./quarantine.module.css";
import { Replay } from "./Replay.tsx";

const words = text.quarantine;

export const COLUMNS: readonly Column<QuarantinedChange>[] = [
  {
    key: "created",
    head: words.columns.created,
    narrow: "second-end",
    isLink: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    key: "reason",
    head: words.columns.reason,
    narrow: "lead",
    isWide: true,
    cell: ({ reason, detail }) => (
      <span className={styles["reason"]}>
        <Link {...paths.quarantine({ reason })}>{reason}</Link>
        {detail !== null && <ServerText>{detail}</ServerText>}
      </span>
    ),
  },
  {
    key: "about",
    head: words.columns.about,
    narrow: "second",
    cell: ({ provider_phone_number_id: number, provider_account_id: account }) => (
      <span className="mono">{number ?? account}</span>
    ),
  },
  { key: "replays", head: words.columns.replays, isFigure: true, cell: ({ replays }) => replays },
  {
    key: "next",
    head: words.columns.next,
    isFigure: true,
    cell: ({ next_replay_at: at }) => (at === null ? "" : <Time at={at} />),
  },
  { key: "replay", head: words.replay, narrow: "end", isFigure: true, cell: ({ id }) => <Replay id={id} /> },
];
