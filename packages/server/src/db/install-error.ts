/** The installation cannot go on; the message says what to do. One line, no stack. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}
