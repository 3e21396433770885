import { Type } from "typebox";
import { idParams } from "../../../http/ids.ts";
import { listQuery } from "../../../http/pagination.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { ContactPage } from "../schema.ts";
import { NewSegment, Segment, SegmentChange, SegmentList, SegmentPreview, SegmentPreviewInput } from "./schema.ts";
import { deleteSegment, listSegmentContacts, previewSegment, type SegmentDeps, segmentVerbs } from "./segment.ts";

const WRITE = { tag: "Contacts", auth: "workspace", scope: "contacts:write", limitedKeys: "all" } as const;
const READ = { tag: "Contacts", auth: "workspace", scope: "contacts:read", limitedKeys: "all" } as const;
const PageOf = Type.Object(listQuery);

export function segmentRoutes(deps: SegmentDeps): readonly AnyRoute[] {
  const verbs = segmentVerbs(deps);
  return [...readRoutes(verbs), PREVIEW_ROUTE, ...writeRoutes(verbs)];
}

type Verbs = ReturnType<typeof segmentVerbs>;

const readRoutes = (verbs: Verbs): readonly AnyRoute[] => [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/segments",
    searches: true,
    summary: "List segments",
    description:
      "Newest first, each with its count, as far as they can be counted within half a second; the others with their last one.",
    action: "segment.list",
    query: PageOf,
    status: 200,
    response: SegmentList,
    verb: verbs.listSegments,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/segments/{id}",
    searches: true,
    summary: "Get a segment",
    description: "The segment with its filter, and how many contacts fit it now.",
    action: "segment.read",
    params: idParams("seg"),
    status: 200,
    response: Segment,
    etag: true,
    verb: verbs.getSegment,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/segments/{id}/contacts",
    searches: true,
    summary: "List the contacts of a segment",
    description:
      "Those who fit the filter now, newest first. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null.",
    action: "segment.list_contacts",
    params: idParams("seg"),
    query: PageOf,
    status: 200,
    response: ContactPage,
    verb: listSegmentContacts,
  }),
];

const PREVIEW_ROUTE = route({
  ...READ,
  kind: "read",
  method: "POST",
  path: "/v1/segments/preview",
  searches: true,
  summary: "Preview a segment",
  description: "How many contacts fit a filter now, and the newest of them. Nothing is stored.",
  operationId: "segments.preview",
  action: "segment.preview",
  body: SegmentPreviewInput,
  status: 200,
  response: SegmentPreview,
  verb: previewSegment,
});

const writeRoutes = (verbs: Verbs): readonly AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/segments",
    searches: true,
    summary: "Create a segment",
    description: "A filter under a name. Contacts are not put into a segment: every contact that fits is in it.",
    action: "segment.create",
    body: NewSegment,
    status: 201,
    response: Segment,
    errors: ["conflict"],
    etag: true,
    verb: verbs.createSegment,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/segments/{id}",
    searches: true,
    summary: "Update a segment",
    description: "Changes what is given; a filter is replaced as a whole.",
    action: "segment.update",
    params: idParams("seg"),
    body: SegmentChange,
    status: 200,
    response: Segment,
    errors: ["precondition_failed"],
    etag: true,
    verb: verbs.updateSegment,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/segments/{id}",
    summary: "Delete a segment",
    description: "Its contacts stay.",
    action: "segment.delete",
    params: idParams("seg"),
    status: 204,
    response: Type.Null(),
    errors: ["precondition_failed"],
    verb: deleteSegment,
  }),
];
