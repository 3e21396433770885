import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ApiError, type Segment, type SegmentChange } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { segmentQuery, type VersionedSegment, versionedSegment } from "../../api/queries/segments.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { Loaded } from "../../parts/Loaded.tsx";
import { Unsaved } from "../../parts/leave.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { useVersion } from "../../parts/version.ts";
import { paths } from "../../paths.ts";
import { Store, useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { draftOf, filterOf, newGroup } from "./draft.ts";
import { inWords } from "./in-words.ts";
import { SegmentForm } from "./SegmentForm.tsx";

const words = text.segment;
const route = getRouteApi("/app/workspace/segments/$id");

/** Keeps what was answered; counts of the others may have changed too. */
function useKeep(): (segment: Segment) => VersionedSegment {
  const queryClient = useQueryClient();
  return (segment) => {
    void queryClient.invalidateQueries({ queryKey: KEYS.segments, refetchType: "none" });
    const read = versionedSegment(segment);
    queryClient.setQueryData(segmentQuery(segment.id).queryKey, read);
    return read;
  };
}

/** The form of a new segment. */
export function NewSegmentPage() {
  const navigate = useNavigate();
  const keep = useKeep();
  const [draft] = useState(() => newGroup());
  return (
    <>
      <PageHead title={text.segments.create} />
      <SegmentForm
        begin={{ name: "", draft }}
        submit={(given, idempotencyKey) => waypost.segments.create(given, { idempotencyKey })}
        asks={(body) => ({ path: "v1/segments", body })}
        onDone={(segment) => void navigate(paths.segment(keep(segment).segment.id))}
      />
    </>
  );
}

/** One segment, as it is and to be edited. */
export function SegmentPage() {
  const { id } = route.useParams();
  return (
    <Loaded query={useQuery(segmentQuery(id))} id={id} words={words}>
      {/* Another one is another form. */}
      {(found) => <Shown key={id} found={found} />}
    </Loaded>
  );
}

/** What others change meanwhile does not take away what is being edited. */
function Shown({ found }: { found: VersionedSegment }) {
  const queryClient = useQueryClient();
  const { id } = found.segment;
  const { start, taken, version, goOn } = useVersion(
    found,
    () => queryClient.fetchQuery({ ...segmentQuery(id), staleTime: 0 }),
    ({ segment }) => ({ name: segment.name, filter: inWords(segment.filter) }),
  );
  const [unsaved] = useState(() => new Store(false));
  const [isSaved, setSaved] = useState(false);
  const isEdited = useStore(unsaved);
  const keep = useKeep();
  const { name, filter } = start.segment;
  const draft = draftOf(filter);
  return (
    <>
      <PageHead title={name}>
        <Link {...paths.contacts({ segment_id: id })} className={controls["button"]}>
          {words.contacts}
        </Link>
        <DeleteSegment read={start} again={async () => (await version.now()).take()} unsaved={unsaved} />
        <CopyCurl path={`v1/segments/${id}`} />
      </PageHead>
      {draft === null ? (
        <p className="muted">{words.byApi}</p>
      ) : (
        <Unsaved value={unsaved}>
          <SegmentForm
            key={taken}
            begin={{ name, draft }}
            version={version}
            submit={(given, _key, match) => {
              setSaved(false);
              return waypost.segments.update(id, changeOf(given, start.segment), match);
            }}
            asks={(given) => ({
              path: `v1/segments/${id}`,
              method: "PATCH",
              body: changeOf(given, start.segment),
            })}
            onDone={(changed) => {
              goOn(keep(changed));
              setSaved(true);
            }}
          />
        </Unsaved>
      )}
      <p role="status">{isSaved && !isEdited && words.saved}</p>
    </>
  );
}

/** What is as it was is not sent, so that it is not changed back. */
function changeOf({ name, filter }: Required<SegmentChange>, before: Segment): SegmentChange {
  const draft = draftOf(before.filter);
  const isSame = draft !== null && JSON.stringify(filterOf(draft)) === JSON.stringify(filter);
  return { ...(name === before.name ? {} : { name }), ...(isSame ? {} : { filter }) };
}

type DeleteProps = { read: VersionedSegment; again(): Promise<void>; unsaved: Store<boolean> };

function DeleteSegment({ read: { segment, etag }, again, unsaved }: DeleteProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id, name, count } = segment;
  const remove = async (): Promise<void> => {
    try {
      await waypost.segments.delete(id, etag === null ? {} : { ifMatch: etag });
    } catch (error) {
      // Another may have changed it meanwhile, and the next click is about what is known now.
      if (error instanceof ApiError && error.code === "precondition_failed") void again();
      throw error;
    }
    unsaved.set(false);
    await navigate(paths.segments());
    queryClient.removeQueries({ queryKey: segmentQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: KEYS.segments });
  };
  return (
    <Confirm
      action={words.remove}
      busy={words.removing}
      title={words.removeAsk(name)}
      effect={words.removeEffect(count)}
      scope="contacts:write"
      run={remove}
    />
  );
}
