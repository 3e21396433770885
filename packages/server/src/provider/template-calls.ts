import type { Readable } from "node:stream";
import type { Access, AccountAccess, CallResult, ProviderError } from "./call-result.ts";

/** Calls that submit and change templates (Cloud API documentation, templates: create, edit, delete). */
export type TemplateCalls = {
  createTemplate(request: AccountAccess & { template: TemplateSubmission }): Promise<ChangeResult<Submitted>>;
  editTemplate(
    request: AccountAccess & { providerTemplateId: string; change: TemplateEdit },
  ): Promise<ChangeResult<null>>;
  /** Deletes the template of one language. */
  deleteTemplate(request: AccountAccess & { providerTemplateId: string; name: string }): Promise<ChangeResult<null>>;
  /** Uploads the sample of a media header and answers its handle; safe to repeat (resumable upload). */
  uploadSample(request: Access & { sample: Sample }): Promise<CallResult<string>>;
};

/** `category` in lower case, `parameterFormat` as the documentation has it in lower case; `components` in the provider's format. */
export type TemplateSubmission = {
  name: string;
  language: string;
  category: string;
  parameterFormat: "positional" | "named";
  components: readonly unknown[];
  /** How long the provider tries to deliver a message of it, in seconds; -1: 30 days. */
  messageSendTtlSeconds?: number;
};

/** What is given replaces what the template has. */
export type TemplateEdit = {
  category?: string;
  components?: readonly unknown[];
  parameterFormat?: "positional" | "named";
  messageSendTtlSeconds?: number;
};

/** The answer to a submission; the category may be another one than was asked for. */
export type Submitted = { providerTemplateId: string; status: string; category: string };

/** A file to upload: `bytes` is its whole length, `content` is read once. */
export type Sample = { name: string; type: string; bytes: number; content: Readable };

/** `lost`: the call may have been done although it was not answered, or not with a result. Without it nothing was done. */
export type ChangeResult<T> = { ok: true; value: T } | { ok: false; error: ProviderError; lost: boolean };
