import type { FastifyInstance } from "fastify";
import { bytesOf, takeBytes } from "../protocol/bytes.ts";
import { ControlError } from "../world/control-error.ts";
import type { Control } from "./control.ts";

type Query = { Querystring: Record<string, string | undefined> };
/** What a browser shows by itself and nothing in it can act; anything else is only saved. */
const SHOWN = /^(?:image\/(?:jpeg|png|webp)|audio\/|video\/)/;
const FIELDS = ["phone_number_id", "mime_type", "id"];

/** The control API of files. */
export function registerFileRoutes(app: FastifyInstance, control: Control): void {
  app.get("/sim/files", () => ({ data: control.files() }));
  app.get<{ Params: { id: string } }>("/sim/files/:id/content", (request, reply) => {
    const { mime_type, file_size, content } = control.fileContent(request.params.id);
    const isShown = SHOWN.test(mime_type);
    return reply
      .type(isShown ? mime_type : "application/octet-stream")
      .header("content-length", file_size)
      .header("content-disposition", isShown ? "inline" : "attachment")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("cross-origin-resource-policy", "same-origin")
      .header("x-content-type-options", "nosniff")
      .send(content);
  });
  app.delete<{ Params: { id: string } }>("/sim/files/:id", (request) => {
    control.expireFile(request.params.id);
    return { success: true };
  });

  // In a context of its own, where a body is bytes of any type.
  void app.register((bytes, _options, done) => {
    takeBytes(bytes);
    bytes.post<Query>("/sim/files", (request, reply) => {
      const { phone_number_id, mime_type, id, ...more } = request.query;
      const [unknown] = Object.keys(more);
      if (unknown !== undefined)
        throw new ControlError(400, `unknown parameter ${unknown}: there are ${FIELDS.join(", ")}`);
      if (!phone_number_id || !mime_type) throw new ControlError(400, "a file needs phone_number_id and mime_type");
      void reply.code(201);
      return control.addFile({ phone_number_id, mime_type, ...(id === undefined ? {} : { id }) }, bytesOf(request));
    });
    done();
  });
}
