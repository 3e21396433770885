import { type LinkProps, useNavigate } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { Choices } from "../../parts/Choices.tsx";
import controls from "../../parts/controls.module.css";
import { grouped } from "../../parts/phone-number.ts";
import { text } from "../../text/text.ts";
import { type HomeSearch, RANGES } from "./search.ts";

type NarrowingProps = { search: HomeSearch; numbers: readonly PhoneNumber[]; path(search: HomeSearch): LinkProps };

/** What is counted: a time, and one number or all. `path`: of the page. */
export function Narrowing({ search: { number, range }, numbers, path }: NarrowingProps) {
  const navigate = useNavigate();
  const of = (id: string | undefined, one: HomeSearch["range"]): LinkProps =>
    path({ ...(one === undefined || one === "24h" ? {} : { range: one }), ...(id && { number: id }) });
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
        options={RANGES.map((one) => ({ label: text.home.range[one], link: of(number, one) }))}
      />
    </>
  );
}
