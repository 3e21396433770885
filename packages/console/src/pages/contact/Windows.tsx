import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Contact } from "@waypost/sdk";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { grouped } from "../../parts/phone-number.ts";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./contact.module.css";

const app = getRouteApi("/app");
const words = text.contact;

/** With which numbers the person can be written to freely, and until when. */
export function Windows({ windows }: { windows: Contact["windows"] }) {
  const { session } = app.useRouteContext();
  const { data: numbers } = useQuery({ ...numbersQuery, enabled: can(session, "accounts:read") });
  const numberOf = (id: string): string => {
    const phone = numbers?.find((one) => one.id === id)?.phone;
    return phone ? grouped(phone) : id;
  };
  return (
    <section aria-labelledby="windows-title">
      <h2 id="windows-title">{words.windows}</h2>
      {windows.length === 0 && <p className="muted">{words.noWindows}</p>}
      <ul className={styles["windows"]}>
        {windows.map(({ phone_number_id: id, open, expires_at: at }) => (
          <li key={id}>
            <StateSign state={open ? "active" : "expired"} />
            <span dir="ltr">{numberOf(id)}</span>
            <span className="muted">
              {open ? words.open : words.closed} <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
