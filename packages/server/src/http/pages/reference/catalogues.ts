import { MESSAGE_ERRORS } from "../../../provider/message-errors.ts";
import { PROBLEMS } from "../../problem.ts";

type RequestError = (typeof PROBLEMS)[keyof typeof PROBLEMS];
type MessageError = (typeof MESSAGE_ERRORS)[keyof typeof MESSAGE_ERRORS];

const requestErrors = new Map<string, RequestError>(Object.entries(PROBLEMS));
const messageErrors = new Map<string, MessageError>(Object.entries(MESSAGE_ERRORS));

/** The codes of both catalogues; some are in both. */
export const ALL_CODES: readonly string[] = [...new Set([...requestErrors.keys(), ...messageErrors.keys()])];

/** A code as the answer to a request has it. */
export const requestErrorOf = (code: string): RequestError | undefined => requestErrors.get(code);

/** A code as the error of a message has it. */
export const messageErrorOf = (code: string): MessageError | undefined => messageErrors.get(code);
