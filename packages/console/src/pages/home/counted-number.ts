import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";

const app = getRouteApi("/app");

/**
 * The numbers of the workspace, and the one that alone is counted. An address may name one that this session cannot see: then all are
 * counted, and that is what is shown. `isKnown`: whether that is settled.
 */
export function useCountedNumber(id: string | undefined) {
  const { session } = app.useRouteContext();
  const enabled = can(session, "accounts:read");
  const { data, isPending } = useQuery({ ...numbersQuery, enabled });
  const numbers: readonly PhoneNumber[] = data ?? [];
  return { numbers, number: numbers.find((one) => one.id === id), isKnown: id === undefined || !enabled || !isPending };
}
