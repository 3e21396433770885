/** Ends an import as failed. `message` is public text without anything of the file. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}
