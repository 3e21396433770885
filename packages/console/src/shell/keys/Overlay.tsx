import { type ReactNode, useEffect, useRef } from "react";
import styles from "./keys.module.css";

/** A window over the page that the browser itself keeps on top; Escape and a click beside it close it, and the focus goes back. */
export function Overlay({ label, onClose, children }: { label: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={styles["overlay"]}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div className={styles["content"]}>{children}</div>
    </dialog>
  );
}
