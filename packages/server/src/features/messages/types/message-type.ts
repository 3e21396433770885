import type { Static, TSchema } from "typebox";

/** A type of message that can be sent. Each is a file of this folder and an entry of `MESSAGE_TYPES`. */
export type MessageType<Name extends string, Content extends TSchema> = {
  /** The value of `type`, and the field that holds the content. */
  name: Name;
  /** What a client sends, in the provider's field names and limits (Cloud API documentation, messages). It goes to the provider as it is. */
  content: Content;
  /** Whether it can only be sent within 24 hours of the person's last message (Cloud API documentation, customer service windows). */
  needsWindow: boolean;
  /** Of the whole request, in the API document. */
  description: string;
  /** Of the content in a message resource. */
  shown: string;
  /** Throws the Problem of content that the schema allows and the provider would refuse. `at` points at the content. */
  check?(content: never, at: string): void;
  /** Writes what is taken in any case as the schema has it, before the schema checks it. Anything may be given. */
  spell?(content: unknown): void;
  /** Of a type that is about another message and quotes none: the field of its content that has that message's id. */
  target?: string;
};

export const messageType = <Name extends string, Content extends TSchema>(
  type: Omit<MessageType<Name, Content>, "check"> & { check?(content: Static<Content>, at: string): void },
): MessageType<Name, Content> => type as MessageType<Name, Content>;
