import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listOf } from "../../../http/pagination.ts";
import { nameInput, nullable } from "../../../http/schema-types.ts";
import { timestampOutput } from "../../../http/timestamps.ts";
import { CONTACT_EXAMPLE, Contact } from "../schema.ts";
import { MOST_DEPTH, MOST_NODES, MOST_VALUES } from "./limits.ts";

const FILTER_EXAMPLE = {
  all: [
    { field: "tags", op: "contains", value: "vip" },
    {
      any: [
        { field: "attributes.city", op: "eq", value: "Recife" },
        { field: "locale", op: "in", value: ["pt_BR"] },
      ],
    },
    { not: { field: "last_inbound_at", op: "within_last", value: "P7D" } },
  ],
};

/** A node of a filter: exactly one of the four forms. The verb checks it, and names the node that is wrong. */
export type SegmentFilter = {
  all?: SegmentFilter[];
  any?: SegmentFilter[];
  not?: SegmentFilter;
  field?: string;
  op?: string;
  value?: unknown;
};

const Filter = Type.Unsafe<SegmentFilter>({
  type: "object",
  additionalProperties: true,
  description: `Whom the segment has: \`{"all": […]}\`, \`{"any": […]}\`, \`{"not": {…}}\` or \`{"field", "op", "value"}\`, in each other up to ${MOST_DEPTH} levels deep and ${MOST_NODES} in all.

| Field | Operators |
| --- | --- |
| \`tags\` | \`contains\`, \`not_contains\` (one tag), \`in\` (any of them), \`exists\` |
| \`attributes.<name>\` | \`eq\`, \`ne\`, \`in\`, \`contains\`, \`not_contains\`, \`exists\`, \`gt\`, \`gte\`, \`lt\`, \`lte\` |
| \`name\`, \`email\`, \`locale\`, \`phone\` | \`eq\`, \`ne\`, \`in\`, \`contains\`, \`not_contains\`, \`exists\` |
| \`marketing_consent\` | \`eq\`, \`ne\`, \`in\` |
| \`last_inbound_at\`, \`created_at\` | \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`within_last\`; of the first also \`exists\` |

\`eq\` and \`in\` (up to ${MOST_VALUES} values) compare exactly, of \`phone\` any form of the number; \`contains\` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. \`exists\` takes true or false, \`within_last\` a duration of weeks, days, hours, minutes or seconds such as \`P7D\` or \`PT36H\`. A contact without the field fits \`ne\`, \`not_contains\` and \`exists\` false, and nothing else; \`not\` has exactly those whom its node has not.`,
  examples: [FILTER_EXAMPLE],
});

const SEGMENT_EXAMPLE = {
  id: "seg_01jd0000000000000000000000",
  name: "Quiet customers in Recife",
  filter: FILTER_EXAMPLE,
  count: 1240,
  counted_at: "2026-01-31T09:00:00.000Z",
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T08:00:00.000Z",
};

export const Segment = Type.Object(
  {
    id: idSchema("seg"),
    name: Type.String(),
    filter: Filter,
    count: nullable(
      Type.Integer(),
      "The contacts that fit, counted for this response. Where that takes longer than half a second, as last counted in the background; null before that.",
    ),
    counted_at: nullable(timestampOutput(), "When it was counted."),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  { $id: "Segment", examples: [SEGMENT_EXAMPLE] },
);
export type Segment = Static<typeof Segment>;
export const SegmentList = listOf(Segment);

const name = nameInput(256);

export const NewSegment = Type.Object(
  { name, filter: Filter },
  { $id: "NewSegment", examples: [{ name: SEGMENT_EXAMPLE.name, filter: FILTER_EXAMPLE }] },
);
export type NewSegment = Static<typeof NewSegment>;

export const SegmentChange = Type.Object(
  { name: Type.Optional(name), filter: Type.Optional(Filter) },
  { $id: "SegmentChange", examples: [{ name: "Quiet customers" }] },
);
export type SegmentChange = Static<typeof SegmentChange>;

export const SegmentPreviewInput = Type.Object(
  { filter: Filter },
  { $id: "SegmentPreviewInput", examples: [{ filter: FILTER_EXAMPLE }] },
);
export type SegmentPreviewInput = Static<typeof SegmentPreviewInput>;

export const SegmentPreview = Type.Object(
  {
    count: nullable(Type.Integer(), "The contacts that fit; null where counting them takes longer than half a second."),
    data: Type.Array(Contact, { description: "The newest of them, up to ten; fewer where few of very many fit." }),
  },
  { $id: "SegmentPreview", examples: [{ count: 1240, data: [CONTACT_EXAMPLE] }] },
);
export type SegmentPreview = Static<typeof SegmentPreview>;
