import { type LinkProps, useNavigate } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { Choices } from "../../parts/Choices.tsx";
import controls from "../../parts/controls.module.css";
import { now } from "../../parts/now.ts";
import { grouped } from "../../parts/phone-number.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { OwnRange } from "./OwnRange.tsx";
import { ownRangeOf, rangeOf } from "./range.ts";
import { type HomeSearch, isOwn, RANGES, type Range } from "./search.ts";

type NarrowingProps = { search: HomeSearch; numbers: readonly PhoneNumber[]; path(search: HomeSearch): LinkProps };

/** What is counted: a time, and one number or all. `path`: of the page. */
export function Narrowing({ search: { number, range = "24h" }, numbers, path }: NarrowingProps) {
  const navigate = useNavigate();
  const current = useStore(now);
  const of = (id: string | undefined, one: Range): LinkProps =>
    path({ ...(one === "24h" ? {} : { range: one }), ...(id && { number: id }) });
  const ranges = RANGES.map((one) => ({ label: text.home.range[one], link: of(number, one) }));
  // One's own begins as the range that is shown, and is changed from there.
  const own = isOwn(range) ? range : ownRangeOf(rangeOf(range, current));
  return (
    <>
      {numbers.length > 1 && (
        <select
          className={controls["input"]}
          aria-label={text.home.number}
          value={number ?? ""}
          onChange={({ currentTarget }) => void navigate(of(currentTarget.value, range))}
        >
          <option value="">{text.home.anyNumber}</option>
          {numbers.map(({ id, phone }) => (
            <option key={id} value={id}>
              {grouped(phone)}
            </option>
          ))}
        </select>
      )}
      <Choices
        label={text.home.range.label}
        options={[...ranges, { label: text.home.range.own, link: of(number, own) }]}
      />
      {isOwn(range) && <OwnRange range={range} linkOf={(one) => of(number, one)} />}
    </>
  );
}
