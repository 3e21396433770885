/** A control call that cannot be done; over HTTP 400, or 404 for an object that does not exist. */
export class ControlError extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string) {
    super(message);
    this.name = "ControlError";
    this.httpStatus = httpStatus;
  }
}
