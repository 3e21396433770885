import { X } from "lucide-react";
import { useRef } from "react";
import controls from "../../parts/controls.module.css";
import { useForm } from "../../parts/Form.tsx";
import form from "../../parts/form.module.css";
import { text } from "../../text/text.ts";
import { ConditionFields, useFault } from "./ConditionFields.tsx";
import {
  type BoxKind,
  type Draft,
  type Group,
  joinedBy,
  MOST_DEPTH,
  MOST_NODES,
  type Not,
  newCondition,
  newGroup,
  nodesIn,
  withPart,
} from "./draft.ts";
import styles from "./segment.module.css";

const words = text.segment;
const KINDS = ["all", "any", "not"] as const satisfies readonly BoxKind[];

/** A segment's filter as boxes in each other, of any form that the API takes. */
export function FilterFields({ draft, onChange }: { draft: Draft; onChange(draft: Draft): void }) {
  const { change } = useForm();
  const set = (next: Draft | null): void => {
    change("filter");
    onChange(next ?? newGroup());
  };
  const room = MOST_NODES - nodesIn(draft);
  return (
    <section aria-labelledby="filter-title" className={styles["filter"]}>
      <h2 id="filter-title">{words.filter}</h2>
      <Node node={draft} path="filter" place="" depth={1} room={room} onChange={set} isRemovable={false} />
    </section>
  );
}

/** Why a button adds no more. */
const limitOf = (isFull: boolean, isDeep: boolean): { disabled?: true; title?: string } =>
  isFull || isDeep ? { disabled: true, title: isFull ? words.full(MOST_NODES) : words.deep(MOST_DEPTH) } : {};

type NodeProps<Of> = {
  node: Of;
  path: string;
  place: string;
  depth: number;
  /** Groups and conditions that can be added to the filter. */
  room: number;
  /** Null: it is removed. */
  onChange(node: Draft | null): void;
  isRemovable: boolean;
};

function Node({ node, ...rest }: NodeProps<Draft>) {
  if (node.kind !== "condition") return <Box node={node} {...rest} />;
  const { path, place, depth, room, onChange, isRemovable } = rest;
  return (
    <>
      <ConditionFields
        condition={node}
        path={path}
        place={place || "1"}
        onChange={onChange}
        onRemove={isRemovable ? () => onChange(null) : null}
      />
      {!isRemovable && (
        <div className={styles["tools"]}>
          <button
            type="button"
            className={controls["button"]}
            {...limitOf(room < 1, depth >= MOST_DEPTH)}
            onClick={() => onChange(newGroup(node))}
          >
            {words.wrap}
          </button>
        </div>
      )}
    </>
  );
}

function Box({ node, path, place, depth, room, onChange, isRemovable }: NodeProps<Group | Not>) {
  const fault = useFault(path, false);
  const tools = useRef<HTMLDivElement>(null);
  const parts = node.kind === "not" ? [node.part] : node.parts;
  const name = words.group(place);
  const change = (index: number, part: Draft | null): void => {
    onChange(withPart(node, index, part));
    // What had the focus is gone.
    if (part === null) tools.current?.querySelector("button")?.focus();
  };
  const add = (part: Draft): void => {
    if (node.kind !== "not") onChange({ ...node, parts: [...node.parts, part] });
  };
  return (
    <div role="group" aria-label={name} className={styles["box"]} data-kind={node.kind}>
      <div className={styles["head"]}>
        <select
          aria-label={words.kind}
          aria-invalid={fault !== undefined}
          className={controls["input"]}
          value={node.kind}
          onChange={({ currentTarget: { value } }) => onChange(joinedBy(node, value as BoxKind))} // one of KINDS
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {words.kinds[kind]}
            </option>
          ))}
        </select>
        {isRemovable && (
          <button
            type="button"
            className={styles["remove"]}
            aria-label={words.removeAt(name)}
            onClick={() => onChange(null)}
          >
            <X size={16} aria-hidden />
          </button>
        )}
      </div>
      {fault !== undefined && <p className={form["fault"]}>{fault}</p>}
      {parts.map((part, index) => (
        <Node
          key={part.key}
          node={part}
          path={node.kind === "not" ? `${path}.not` : `${path}.${node.kind}.${index}`}
          place={place === "" ? `${index + 1}` : `${place}.${index + 1}`}
          depth={depth + 1}
          room={room}
          onChange={(next) => change(index, next)}
          isRemovable={node.kind !== "not"}
        />
      ))}
      {node.kind !== "not" && (
        <div ref={tools} className={styles["tools"]}>
          <button
            type="button"
            className={controls["button"]}
            {...limitOf(room < 1, depth >= MOST_DEPTH)}
            onClick={() => add(newCondition())}
          >
            {words.addCondition}
          </button>
          <button
            type="button"
            className={controls["button"]}
            {...limitOf(room < 2, depth + 1 >= MOST_DEPTH)}
            onClick={() => add(newGroup())}
          >
            {words.addGroup}
          </button>
        </div>
      )}
    </div>
  );
}
