import { useState } from "react";
import page from "../../../../../docs/webhooks.md?raw";
import { CopyButton } from "../../parts/Copy.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { text } from "../../text/text.ts";
import styles from "./delivery.module.css";
import { snippetsOf } from "./snippets.ts";

const words = text.delivery;
const SNIPPETS = snippetsOf(page);

/** How a receiver verifies a delivery, in the languages of the documentation. `isOpen`: at first. */
export function Verification({ isOpen = false }: { isOpen?: boolean }) {
  const [chosen, choose] = useState(SNIPPETS[0]?.language ?? "");
  return (
    <details className={styles["verify"]} open={isOpen}>
      <summary>{words.verify}</summary>
      <p className="muted">{words.verifyHelp}</p>
      <Tabs
        label={words.languages}
        chosen={chosen}
        onChoose={choose}
        tabs={SNIPPETS.map(({ language, code }) => ({
          name: language,
          label: language,
          shows: (
            <div className={styles["code"]}>
              <CopyButton value={code} label={text.copy.plain} />
              <pre tabIndex={0}>{code}</pre>
            </div>
          ),
        }))}
      />
    </details>
  );
}
