import { newUuid, parseId } from "../../../lib/ids.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";
import { JPEG } from "./files.ts";

let people = 0;

/** Inbound media that is not here yet, in a message that a person has just sent; uuids. */
export async function pendingMedia(
  { app, clock }: Pick<Gateway, "app" | "clock">,
  of: Sender,
): Promise<{ id: string; contactId: string }> {
  people += 1;
  const message = await of.inbound(`1555888${String(people).padStart(4, "0")}`);
  const [messageId, contactId] = [parseId("msg", message.id) ?? "", parseId("con", message.contact_id) ?? ""];
  const [id, now] = [newUuid(clock.now()), new Date(clock.now())];
  await app.db.transaction(of.uuid, (sql) =>
    sql.run(
      `insert into media (workspace_id, id, source, status, type, mime_type, message_id, contact_id, phone_number_id, created_at, used_at)
       values ($1, $2, 'inbound', 'pending', 'image', 'image/png', $3, $4, $5, $6, $6)`,
      [of.uuid, id, messageId, contactId, parseId("num", of.phoneNumberId), now],
    ),
  );
  return { id, contactId };
}

/** A picture in the store of a workspace, which no media names yet. */
export async function keptPicture({ features, clock }: Pick<Gateway, "features" | "clock">, of: Pick<Sender, "uuid">) {
  const { mediaFiles } = features.services;
  return await mediaFiles.keep(of.uuid, await mediaFiles.receive(once(JPEG), JPEG.length), clock.now());
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
