import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type KeyboardEventHandler, type ReactNode, useRef, useState } from "react";
import { Store } from "../store.ts";
import { text } from "../text/text.ts";
import dialogs from "./dialog.module.css";
import { LeaveQuestion, Unsaved } from "./leave.tsx";

type SheetProps = {
  title: string;
  onClose(): void;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
  children: ReactNode;
};

/**
 * A form or a row beside what it belongs to; a phone shows it alone. Whether it is open is in the address, so that Back closes it: `onClose`
 * navigates. With something unsaved in it, it asks before it closes.
 */
export function Sheet({ title, onClose, onKeyDown, children }: SheetProps) {
  const [unsaved] = useState(() => new Store(false));
  const popup = useRef<HTMLDivElement>(null);
  const [isAsking, setAsking] = useState(false);
  const close = (isOpen: boolean): void => {
    if (isOpen) return;
    if (unsaved.get()) setAsking(true);
    else onClose();
  };
  const leave = (): void => {
    unsaved.set(false);
    onClose();
  };
  // Not by touch: the keyboard would rise over what is to be read first.
  const first = (by: string): HTMLElement | true =>
    (by === "touch" ? null : popup.current?.querySelector<HTMLElement>("input:not([type=search]), select, textarea")) ??
    true;
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogs["backdrop"]} />
        <Dialog.Popup ref={popup} className={dialogs["sheet"]} initialFocus={first} onKeyDown={onKeyDown}>
          <div className={dialogs["sheetHead"]}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className={dialogs["close"]} aria-label={text.dialog.close}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          <div className={dialogs["sheetBody"]}>
            <Unsaved value={unsaved}>{children}</Unsaved>
          </div>
          <LeaveQuestion isOpen={isAsking} onStay={() => setAsking(false)} onLeave={leave} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
