import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import type { Session } from "../../api/session.ts";
import { text } from "../../text/text.ts";
import { entriesOf } from "../entries.ts";
import type { Place } from "./by-id.ts";
import styles from "./keys.module.css";
import { Overlay } from "./Overlay.tsx";
import { placesFor } from "./places.ts";
import { useProviderIds } from "./provider-ids.ts";

/** Goes to a page by some letters of its name, and to anything by its id. */
export function Palette({ session, onClose }: { session: Session; onClose(): void }) {
  const id = useId();
  const navigate = useNavigate();
  const [given, setGiven] = useState("");
  const [at, setAt] = useState(0);
  const entries = entriesOf(session).flatMap((entry) => [entry, ...(entry.beneath ?? [])]);
  const places = placesFor(given, entries, session, useProviderIds(given, session));
  const current = Math.min(at, places.length - 1);
  const go = (place: Place | undefined): void => {
    if (place === undefined) return;
    onClose();
    void navigate(place.link);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt((current + 1) % Math.max(1, places.length));
    else if (event.key === "ArrowUp") setAt((current + places.length - 1) % Math.max(1, places.length));
    else if (event.key === "Enter") go(places[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Overlay label={text.keys.palette} onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-label={text.keys.palette}
        aria-expanded
        aria-controls={`${id}-places`}
        aria-activedescendant={places.length > 0 ? `${id}-${current}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={text.keys.placeholder}
        className={styles["search"]}
        value={given}
        onChange={({ target }) => {
          setGiven(target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul role="listbox" id={`${id}-places`} aria-label={text.keys.places} className={styles["places"]}>
        {places.map((place, index) => (
          <li
            key={place.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className={styles["place"]}
            onClick={() => go(place)}
          >
            {place.name}
          </li>
        ))}
      </ul>
      {places.length === 0 && (
        <p role="status" className={styles["none"]}>
          {text.places.none}
        </p>
      )}
    </Overlay>
  );
}
