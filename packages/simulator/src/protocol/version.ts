/** Versions that still answer, oldest first, with the day on which each ends (documentation of versions: the list). */
const LIVE: readonly { version: string; endsMs: number }[] = [
  { version: "v20.0", endsMs: Date.UTC(2026, 8, 24) },
  { version: "v21.0", endsMs: Date.UTC(2027, 0, 21) },
  { version: "v22.0", endsMs: Date.UTC(2027, 4, 20) },
  { version: "v23.0", endsMs: Date.UTC(2027, 9, 8) },
  { version: "v24.0", endsMs: Date.UTC(2028, 1, 18) },
  { version: "v25.0", endsMs: Date.UTC(2028, 6, 29) },
  { version: "v26.0", endsMs: Number.POSITIVE_INFINITY },
];
const NEWEST = 26;
/** Minor versions existed up to 3.3; every other version is a whole number. */
const LAST_MINOR: Readonly<Record<number, number>> = { 2: 12, 3: 3 };
const VERSION = /^v(\d{1,2})\.(\d{1,2})$/;
const VERSIONED = /^\/v\d+\.\d+(?:[/?]|$)/;
/** What is not of the Graph: the control API with its page, and the addresses of media. */
const OTHER_PATHS = ["sim", "whatsapp_business"];

/** The oldest version that answers at this time (epoch milliseconds): it serves paths without a version and ended ones. */
export function oldestLive(nowMs: number): string {
  return LIVE.find(({ endsMs }) => endsMs > nowMs)?.version ?? `v${NEWEST}.0`;
}

/** The version that serves a call which names `version`, or null for one that never existed. */
export function servedVersion(version: string, nowMs: number): string | null {
  const [, major = "", minor = ""] = VERSION.exec(version) ?? [];
  const exists = Number(major) >= 1 && Number(major) <= NEWEST && Number(minor) <= (LAST_MINOR[Number(major)] ?? 0);
  if (major === "" || !exists) return null;
  const oldest = oldestLive(nowMs);
  return Number(major) < majorOf(oldest) ? oldest : version;
}

/** 26 of `v26.0`. */
export function majorOf(version: string): number {
  return Number(VERSION.exec(version)?.[1] ?? 0);
}

/** Whether a path (with or without its query) is one of the Graph. */
export function isGraphPath(url: string): boolean {
  const [, first = ""] = url.split(/[/?]/, 2);
  return !OTHER_PATHS.includes(first.includes("%") ? decodedSegment(first) : first);
}

// As the router reads it: a path of the control API that is written in another way stays one, and guarded as such.
function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path with a version in front: one without is served as the oldest live version. */
export function versionedPath(url: string, nowMs: number): string {
  return VERSIONED.test(url) || !isGraphPath(url) ? url : `/${oldestLive(nowMs)}${url}`;
}
