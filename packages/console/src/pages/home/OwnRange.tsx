import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useId, useRef } from "react";
import controls from "../../parts/controls.module.css";
import { givenBy, timeInput } from "../../parts/form-field.ts";
import { now } from "../../parts/now.ts";
import { exactDate, zoneName } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./home.module.css";
import { faultOf, isOfDays, rangeOf, rfc3339 } from "./range.ts";
import { endsOf, type OwnRange as Own } from "./search.ts";

const words = text.home.own;

/** The ends of a person's own range, and what is counted of it; or why it cannot be. `linkOf`: the page with such a range. */
export function OwnRange({ range, linkOf }: { range: Own; linkOf(range: Own): LinkProps }) {
  const navigate = useNavigate();
  const id = useId();
  const fault = faultOf(range, useStore(now));
  const ends = endsOf(range);
  const shown = useStore(zone);
  const form = useRef<HTMLFormElement>(null);
  // What was typed gives way to the range of the address, and the focus stays.
  useEffect(() => form.current?.reset(), [range, shown]);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = givenBy(event.currentTarget);
    const [from, until] = [given.time("from"), given.time("until")];
    if (from !== null && until !== null)
      void navigate(linkOf(`${rfc3339(Date.parse(from))},${rfc3339(Date.parse(until))}`));
  };
  const field = (name: "from" | "until") => (
    <label>
      <span className="muted">{words[name]}</span>{" "}
      <input
        type="datetime-local"
        name={name}
        required
        className={controls["input"]}
        defaultValue={ends === null ? "" : timeInput(rfc3339(ends[name]), shown)}
        aria-invalid={fault !== null}
        aria-describedby={id}
      />
    </label>
  );
  return (
    <form ref={form} className={styles["own"]} aria-label={text.home.range.own} onSubmit={submit}>
      {field("from")}
      {field("until")}
      <button type="submit" className={controls["button"]}>
        {words.show}
      </button>
      {fault === null ? (
        <p id={id} className="muted">
          <Counted range={range} />
        </p>
      ) : (
        <p id={id} role="alert" className={styles["fault"]}>
          {words.faults[fault]}
        </p>
      )}
    </form>
  );
}

/** Whole intervals are counted: they may begin earlier than was asked for, and end later. */
function Counted({ range }: { range: Own }) {
  const chosen = useStore(zone);
  const asked = rangeOf(range, useStore(now));
  const shown = isOfDays(asked) ? "utc" : chosen;
  return words.counted(exactDate(asked.begin, shown), exactDate(asked.end, shown), zoneName(shown));
}
