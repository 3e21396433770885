/** As the control API answers (docs/simulator.md). */
export type Account = {
  waba_id: string;
  name: string;
  token_death: number | null;
  lock: number | null;
  subscribed: boolean;
  messaging_limit: string;
  phone_numbers: PhoneNumber[];
  templates: Template[];
};
export type PhoneNumber = {
  id: string;
  display_phone_number: string;
  verified_name: string;
  status: string;
  quality_rating: string;
};
export type Template = {
  id: string;
  name: string;
  language: string;
  category: string;
  status: string;
  quality_score: string;
  rejected_reason: string;
  components: { type: string; text?: string }[];
};
export type Fault = {
  id: string;
  behaviour: { kind: string; code?: number; [field: string]: unknown };
  left: number | null;
  operation: string | null;
  waba_id: string | null;
  phone_number_id: string | null;
  recipient: string | null;
};
export type Callback = {
  cursor: number;
  at: number;
  url: string | null;
  attempt: number;
  updates: number;
  outcome: "delivered" | "retrying" | "gave_up" | "dropped";
  http_status: number | null;
  body: string | null;
};
export type Sent = {
  cursor: number;
  at: number;
  to: string | null;
  type: string | null;
  template: string | null;
  accepted: boolean;
  http_status: number | null;
  code: number | null;
  behaviour: string | null;
  status: string | null;
  request: unknown;
};

/** A part of the page. `read` gets what it shows; it is called when it is opened and after each change. */
export type Part = { element: HTMLElement; read(): Promise<void> };
/** Runs what a button does, shows a failure, and reads the part again. */
export type Attempt = (run: () => Promise<unknown>) => void;
