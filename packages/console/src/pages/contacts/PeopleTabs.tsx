import { Choices } from "../../parts/Choices.tsx";
import { paths } from "../../paths.ts";
import { pageText } from "../../text/page-text.ts";

import styles from "./contacts.module.css";

/** Leads from the contacts to their segments, and back. */
export const PeopleTabs = () => (
  <div className={styles["places"]}>
    <Choices
      label={pageText.segments.people}
      byPath
      options={[
        { label: pageText.contacts.title, link: paths.contacts() },
        { label: pageText.segments.title, link: paths.segments() },
      ]}
    />
  </div>
);
