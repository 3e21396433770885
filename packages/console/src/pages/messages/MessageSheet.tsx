import { Link, useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import controls from "../../parts/controls.module.css";
import { SheetHead } from "../../parts/SheetHead.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { MessageView } from "../message/MessageView.tsx";
import type { Tab } from "../message/route-tabs.ts";
import type { MessagesSearch } from "./search.ts";

/** A message beside its list. `search`: the list's. */
export function MessageSheet({
  id,
  tab,
  search,
  onClose,
}: {
  id: string;
  tab: Tab | undefined;
  search: MessagesSearch;
  onClose(): void;
}) {
  const navigate = useNavigate();
  return (
    <MessageView
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ ...paths.messageBeside(search, id, next), replace: true })}
      Head={SheetHead}
      actions={
        <>
          <Link {...paths.message(id)} className={controls["button"]}>
            {text.messages.openPage}
          </Link>
          <button type="button" className={controls["quiet"]} aria-label={text.messages.closeSheet} onClick={onClose}>
            <X size={16} aria-hidden />
          </button>
        </>
      }
    />
  );
}
