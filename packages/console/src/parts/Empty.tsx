import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { text } from "../text/text.ts";
import { type Call, CopyCurl, commandOf } from "./CopyCurl.tsx";
import controls from "./controls.module.css";
import styles from "./empty.module.css";

/** A place without anything in it: what belongs here, and how it comes here. `example`: the call that makes the first one. */
export function Empty({ title, example, children }: { title: string; example?: Call; children?: ReactNode }) {
  return (
    <div className={styles["empty"]}>
      <h2>{title}</h2>
      {children}
      {example !== undefined && (
        <>
          <p className="muted">{text.filter.example}</p>
          <pre tabIndex={0}>{commandOf(example)}</pre>
          <CopyCurl {...example} />
        </>
      )}
    </div>
  );
}

/** A list of which no row fits what is asked for. `all`: the list without its filters. */
export function NoneFit({ title, help = text.filter.noneHelp, all }: { title: string; help?: string; all: LinkProps }) {
  return (
    <Empty title={title}>
      <p className="muted">{help}</p>
      <Link {...all} className={controls["button"]}>
        {text.filter.all}
      </Link>
    </Empty>
  );
}
