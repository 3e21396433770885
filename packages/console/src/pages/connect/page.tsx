import { PageHead } from "../../parts/Page.tsx";
import { text } from "../../text/text.ts";
import { ByDialog } from "./ByDialog.tsx";
import { ByToken } from "./ByToken.tsx";
import styles from "./connect.module.css";

const words = text.connect;

/** Two ways to a number: the provider's dialog, and a token. */
export function ConnectPage() {
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <div className={styles["ways"]}>
        <ByDialog />
        <ByToken />
      </div>
    </>
  );
}
