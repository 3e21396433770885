import type { FastifyInstance } from "fastify";
import { bytesOf, takeBytes } from "../protocol/bytes.ts";
import { ControlError } from "../world/control-error.ts";
import type { Control } from "./control.ts";

type Query = { Querystring: Record<string, string | undefined> };
const FIELDS = ["phone_number_id", "mime_type", "id"];

/** The control API of files. */
export function registerFileRoutes(app: FastifyInstance, control: Control): void {
  app.get("/sim/files", () => ({ data: control.files() }));
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
