import {
  CircleUserRound,
  Copy,
  ExternalLink,
  File,
  Image,
  List,
  MapPin,
  Mic,
  Phone,
  Reply,
  Sticker,
  Video,
} from "lucide-react";
import { Fragment } from "react";
import { text } from "../../text/text.ts";
import { listOf } from "../list-of.ts";
import type { Bubble, Button, Header } from "./bubble-shape.ts";
import type { Inline } from "./inline.ts";
import styles from "./phone.module.css";

/** Buttons that a phone shows before "See all options". */
const MOST_BUTTONS = 3;

/** A bubble as the person's phone draws it, 320 px wide. */
export function PhonePreview({ bubble, isOurs }: { bubble: Bubble; isOurs: boolean }) {
  return (
    <figure className={styles["screen"]} aria-label={text.phone.label}>
      <div className={styles["side"]} data-ours={isOurs}>
        <BubbleView bubble={bubble} />
        {bubble.cards.length > 0 && (
          <div className={styles["cards"]} role="group" tabIndex={0}>
            {bubble.cards.map((card, index) => (
              <BubbleView key={index} bubble={card} />
            ))}
          </div>
        )}
      </div>
    </figure>
  );
}

/** A bubble alone, for where many stand below each other; its place gives the colours. */
export function BubbleView({ bubble: { header, body, footer, buttons, reaction } }: { bubble: Bubble }) {
  if (reaction !== null) return <p className={styles["bubble"]}>{text.phone.reacted(reaction)}</p>;
  const hasMore = buttons.length > MOST_BUTTONS;
  const shown = hasMore ? buttons.slice(0, MOST_BUTTONS - 1) : buttons;
  return (
    <div className={styles["whole"]}>
      <div className={styles["bubble"]}>
        {header !== null && <BubbleHeader header={header} />}
        {body.length > 0 && (
          <p className={styles["body"]} dir="auto">
            <Inlines parts={body} />
          </p>
        )}
        {footer !== null && (
          <p className={styles["footer"]} dir="auto">
            {footer}
          </p>
        )}
      </div>
      {shown.map((button, index) => (
        <PhoneButton key={index} button={button} />
      ))}
      {hasMore && <PhoneButton button={{ kind: "list", text: text.phone.more }} />}
    </div>
  );
}

const HEADER_SIGNS = { image: Image, video: Video, audio: Mic, document: File, sticker: Sticker };

function BubbleHeader({ header }: { header: Header }) {
  switch (header.kind) {
    case "text":
      return (
        <p className={styles["title"]} dir="auto">
          <Inlines parts={header.text} />
        </p>
      );
    case "offer":
      return <p className={styles["title"]}>{header.text || text.phone.offer}</p>;
    case "location":
      return (
        <div className={styles["media"]}>
          <MapPin size={24} aria-hidden />
          <span>{header.name ?? text.phone.location}</span>
          {header.address !== null && <span className={styles["footer"]}>{header.address}</span>}
        </div>
      );
    case "contacts":
      return (
        <div className={styles["media"]}>
          <CircleUserRound size={24} aria-hidden />
          <span>{listOf(header.names) || text.phone.contacts}</span>
        </div>
      );
    default: {
      const Sign = HEADER_SIGNS[header.kind];
      return (
        <div className={styles["media"]}>
          <Sign size={24} aria-hidden />
          <span>{header.name ?? text.phone[header.kind]}</span>
        </div>
      );
    }
  }
}

function Inlines({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => <OneInline key={index} part={part} />);
}

function OneInline({ part: { text: words, bold, italic, strike, code, variable } }: { part: Inline }) {
  if (code) return <code>{words}</code>;
  if (variable) return <span className={styles["variable"]}>{words}</span>;
  const plain = <Fragment>{words}</Fragment>;
  const struck = strike ? <s>{plain}</s> : plain;
  const slanted = italic ? <em>{struck}</em> : struck;
  return bold ? <strong>{slanted}</strong> : slanted;
}

const BUTTON_SIGNS = { reply: Reply, url: ExternalLink, phone: Phone, code: Copy, list: List, other: Reply };

function PhoneButton({ button: { kind, text: words } }: { button: Button }) {
  const Sign = BUTTON_SIGNS[kind];
  return (
    <span className={styles["button"]} dir="auto">
      <Sign size={14} aria-hidden />
      {words || text.phone.copyCode}
    </span>
  );
}
