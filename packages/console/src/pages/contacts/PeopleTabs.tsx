import { Choices } from "../../parts/Choices.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

import styles from "./contacts.module.css";

/** Leads from the contacts to their segments, and back. */
export const PeopleTabs = () => (
  <div className={styles["places"]}>
    <Choices
      label={text.segments.people}
      byPath
      options={[
        { label: text.contacts.title, link: paths.contacts() },
        { label: text.segments.title, link: paths.segments() },
      ]}
    />
  </div>
);
