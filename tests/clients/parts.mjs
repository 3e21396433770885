// What a callback reports, part by part, as an endpoint in the provider's format gets it.

const LISTS = [
  "messages",
  "message_echoes",
  "statuses",
  "calls",
  "user_preferences",
  "history",
  "state_sync",
  "user_actions",
  "user_id_update",
];

/**
 * The parts of a callback: `{account, key, field, list}`. `key` is the whole of it but what is between the provider and its app: two with one
 * key are the same. `list` is null of a change that has none.
 */
export function partsOf(callback) {
  return callback.entry.flatMap(({ id, changes }) =>
    changes.flatMap(({ field, value }) => {
      // Some are in the entry of the partner, and of the account that they name.
      const account = value.waba_info?.waba_id ?? id;
      const of = (list, item) => ({ account, field, list, item, key: keyOf(field, list, item) });
      const inside =
        field === "standby" ? (Array.isArray(value.standby) ? { messages: value.standby } : value.standby) : value;
      const lists = LISTS.filter((list) => Array.isArray(inside[list]));
      if (lists.length > 0) return lists.flatMap((list) => inside[list].map((item) => of(list, item)));
      return [of(null, value)];
    }),
  );
}

const keyOf = (field, list, item) =>
  `${field} ${list ?? "change"} ${JSON.stringify(item, (_, value) => shownOf(value))}`;

/** Without ids and addresses of files and the gateway's own value, which are not passed on. */
function shownOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { biz_opaque_callback_data: data, url, ...rest } = value;
  // A file has an id of the gateway's, by which a client sends it.
  if ("sha256" in rest) delete rest.id;
  return {
    ...rest,
    ...(url === undefined || "mime_type" in value ? {} : { url }),
    ...(data === undefined || data.startsWith("w1.") ? {} : { biz_opaque_callback_data: data }),
  };
}

/** Paths of what is empty around the part of a delivery: names without a text, lists and objects without content, and nulls. */
export function emptyAround(
  {
    entry: [
      {
        changes: [{ value, ...change }],
        ...entry
      },
    ],
    ...envelope
  },
  { list },
) {
  const { [list ?? ""]: _item, standby: _standby, ...beside } = list === null ? {} : value;
  return [envelope, entry, change, beside].flatMap((one) => emptyIn(one));
}

function emptyIn(value, path = "") {
  if (typeof value !== "object") return [];
  if (value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isEmpty = name === "" || (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0);
    return isEmpty ? [`${path}/${name}`] : emptyIn(inner, `${path}/${name}`);
  });
}
