/** One message or status of a callback: what an event reports. */
export type CallbackPart = {
  /** The number that it is of: the same message may stand in a callback for both of its sides. */
  providerPhoneNumberId: string;
  providerMessageId: string;
  /** `message` is of a person, `echo` of the business; a status is the provider's word. */
  is: "message" | "echo" | { status: string };
};

/** What of a part is ours, and is not passed on. */
export type OwnValues = {
  /** Whether this value of `biz_opaque_callback_data` is a gateway's. */
  isOurs(value: string): boolean;
  /** Whether it names the message that the part is of. */
  namesMessage(value: string): boolean;
};

/** An envelope of one part, in ASCII; `field` is that of its change. */
export type PartEnvelope = { field: string; body: Buffer };

/** What the envelope of a part is written from where the callback is gone. */
export type WrittenPart = CallbackPart & {
  providerAccountId: string;
  /** E.164 with `+`, here and below. */
  businessPhone: string | null;
  person: { phone: string | null; userId: string | null; name: string | null };
  /** Milliseconds. */
  at: number;
  /** Of a conversation that another responder of the number owns. */
  isCopy: boolean;
  /** Of a message or echo, as it is kept; `provided` is what the provider said beside its content. */
  message: {
    type: string;
    content: unknown;
    context: unknown;
    referral: unknown;
    errors: unknown;
    groupId: string | null;
    fields: Record<string, unknown>;
  } | null;
  /** Of a status. */
  error: { code: number; title: string; details: string | null } | null;
  pricing: unknown;
};
