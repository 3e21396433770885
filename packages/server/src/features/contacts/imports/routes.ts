import type { FileStore } from "../../../files/file-store.ts";
import { idParams } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import {
  cancelImport,
  createImport,
  getImport,
  listImportErrors,
  listImports,
  startImport,
  streamImportErrors,
} from "./import.ts";
import { importUpload } from "./receive.ts";
import {
  ContactImport,
  ContactImportErrorList,
  ContactImportList,
  ImportListQuery,
  ImportQuery,
  MOST_ERRORS,
} from "./schema.ts";

const WRITE = { tag: "Contacts", auth: "workspace", scope: "contacts:write", limitedKeys: "all" } as const;
const READ = { tag: "Contacts", auth: "workspace", scope: "contacts:read", limitedKeys: "all" } as const;

export const importRoutes = (files: FileStore): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts/imports",
    summary: "Create an import of contacts",
    description:
      "Stores a file and reads it in the background; poll the import. The body is CSV (`text/csv`) or NDJSON (`application/x-ndjson`), or a form (`multipart/form-data`) with the file and perhaps `mapping`; up to 1 GiB, in UTF-8. Each row creates a contact or changes the one that has the number, as `POST /v1/contacts?on_conflict=update` does; one that is refused has an entry in the import's errors and holds back no other. A row that says what is known already changes nothing. CSV begins with a line of column names in any order; cells are separated by `,`, `;`, `|` or tabs, or by what a line `sep=;` ahead of it says. A column that is no field refuses the file, unless `mapping` names its field or null. A column without a name is ignored while its cells are empty; a cell with content is an error of its row. Of columns with one name the filled cell counts; two different ones are an error of their row. An empty cell changes nothing, and a row of empty cells is none. A row with fewer cells than the first line, or with filled ones behind its last, is an error. `tags` are separated by `;` or `|`, or a JSON array; `attributes.<name>` is a text, `attributes.<name>:number` and `attributes.<name>:boolean` are not; `attributes` is a JSON object. An apostrophe before `=`, `+`, `-` or `@` is dropped. A row without a number, or with an impossible one, changes the contact that its `id` names. Lines of NDJSON are contacts as the API takes them, where null clears a field. What a file says of consent was said when it was sent, so a later choice of the person stays. Imports of a workspace run one after the other.",
    action: "contact_import.create",
    query: ImportQuery,
    status: 202,
    response: ContactImport,
    upload: importUpload(files),
    verb: createImport,
    after: startImport,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts/imports",
    summary: "List imports",
    description: "Newest first. An import can be read for 30 days after it has ended.",
    action: "contact_import.list",
    query: ImportListQuery,
    status: 200,
    response: ContactImportList,
    verb: listImports,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts/imports/{id}",
    summary: "Get an import",
    description: "With what was read and written so far.",
    action: "contact_import.read",
    params: idParams("imp"),
    status: 200,
    response: ContactImport,
    verb: getImport,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts/imports/{id}/errors",
    summary: "List the errors of an import",
    description: `The rows that were refused and why, in the order of the file; of the first ${MOST_ERRORS}. The values of a row are not kept: its line finds it in your file. With \`Accept: text/csv\` or \`application/x-ndjson\` all of them as a file.`,
    action: "contact_import.list_errors",
    params: idParams("imp"),
    query: ImportListQuery,
    status: 200,
    response: ContactImportErrorList,
    verb: listImportErrors,
    rows: { columns: ["row", "line", "column", "code", "detail"], pages: streamImportErrors },
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts/imports/{id}/cancel",
    summary: "Cancel an import",
    description: "It stops where it is: rows that are counted stay imported. One that has ended is returned as it is.",
    action: "contact_import.cancel",
    params: idParams("imp"),
    status: 200,
    response: ContactImport,
    verb: cancelImport,
  }),
];
