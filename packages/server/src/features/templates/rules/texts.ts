import type { FieldError } from "../../../http/problem.ts";
import { fault, faultIf, list, type Of, type Placed, record, textFaults, textOf, upper } from "./rule.ts";
import {
  BODY_SAMPLES,
  edgeAndRatioFaults,
  HEADER_SAMPLES,
  sampleFaults,
  variableFaults,
  variablesOf,
} from "./variables.ts";

const LONGEST_HEADER = 60;
const LONGEST_BODY = 1_024;
const LONGEST_FOOTER = 60;
const LONGEST_OFFER = 16;
const CODE_MINUTES = { least: 1, most: 90 };
/** Formats whose sample is an uploaded file. */
export const MEDIA_FORMATS: readonly string[] = ["IMAGE", "VIDEO", "DOCUMENT", "GIF"];

/** Cloud API documentation, templates: components, header. */
export function headerFaults({ at, fields }: Placed, of: Of): FieldError[] {
  const format = upper(fields["format"]);
  if (of.category === "authentication")
    return [fault(at, "unexpected", "An authentication template has no header. Remove this component.")];
  if (format === "TEXT") return headerTextFaults({ at, fields }, of);
  if (MEDIA_FORMATS.includes(format)) return mediaSampleFaults({ at, fields });
  const detail = "Give the format of the header: TEXT, IMAGE, VIDEO, DOCUMENT, GIF, LOCATION or PRODUCT.";
  return faultIf(format === "", `${at}/format`, "missing", detail);
}

function headerTextFaults({ at, fields }: Placed, of: Of): FieldError[] {
  const text = textOf(fields["text"]);
  const place = `${at}/text`;
  return [
    ...textFaults(fields, { at, name: "text", most: LONGEST_HEADER }),
    ...faultIf(variablesOf(text).length > 1, place, "too_many_variables", "Use at most one variable in a header."),
    ...variableFaults(text, place, of),
    ...sampleFaults({ text, example: fields["example"] }, { at, keys: HEADER_SAMPLES, named: of.named }),
  ];
}

export function mediaSampleFaults({ at, fields }: Placed): FieldError[] {
  const handles = list(record(fields["example"])["header_handle"]);
  const isOne = handles.length === 1 && textOf(handles[0]) !== "";
  const detail =
    "Give one sample file: its https link, the id of an uploaded media, or the handle of a resumable upload.";
  return faultIf(!isOne, `${at}/example/header_handle`, "missing", detail);
}

/** Cloud API documentation, templates: components, body. */
export function bodyFaults({ at, fields }: Placed, of: Of): FieldError[] {
  if (of.category === "authentication") return codeBodyFaults({ at, fields });
  const text = textOf(fields["text"]);
  const place = `${at}/text`;
  return [
    ...textFaults(fields, { at, name: "text", most: LONGEST_BODY }),
    ...variableFaults(text, place, of),
    ...edgeAndRatioFaults(text, place),
    ...sampleFaults({ text, example: fields["example"] }, { at, keys: BODY_SAMPLES, named: of.named }),
  ];
}

function codeBodyFaults({ at, fields }: Placed): FieldError[] {
  const recommends = fields["add_security_recommendation"];
  return [
    ...faultIf(
      fields["text"] !== undefined,
      `${at}/text`,
      "unexpected",
      "The provider writes the text of an authentication template. Remove it; `add_security_recommendation` adds a sentence.",
    ),
    ...faultIf(
      recommends !== undefined && typeof recommends !== "boolean",
      `${at}/add_security_recommendation`,
      "type",
      "Give true or false.",
    ),
  ];
}

/** Cloud API documentation, templates: components, footer. */
export function footerFaults({ at, fields }: Placed, of: Of): FieldError[] {
  if (of.category === "authentication") return codeFooterFaults({ at, fields });
  return [
    ...textFaults(fields, { at, name: "text", most: LONGEST_FOOTER }),
    ...faultIf(
      variablesOf(textOf(fields["text"])).length > 0,
      `${at}/text`,
      "unexpected_variable",
      "A footer has no variables. Write plain text.",
    ),
  ];
}

function codeFooterFaults({ at, fields }: Placed): FieldError[] {
  const minutes = fields["code_expiration_minutes"];
  const { least, most } = CODE_MINUTES;
  const isWhole = Number.isInteger(minutes) && Number(minutes) >= least && Number(minutes) <= most;
  return [
    ...faultIf(
      fields["text"] !== undefined,
      `${at}/text`,
      "unexpected",
      "The provider writes the footer of an authentication template. Remove it; `code_expiration_minutes` says how long a code is valid.",
    ),
    ...faultIf(
      minutes !== undefined && !isWhole,
      `${at}/code_expiration_minutes`,
      "out_of_range",
      `Give ${least} to ${most} whole minutes.`,
    ),
  ];
}

/** Cloud API documentation, templates: limited-time offer. */
export function offerFaults({ at, fields }: Placed, _of: Of): FieldError[] {
  const place = `${at}/limited_time_offer`;
  const offer = record(fields["limited_time_offer"]);
  const ends = offer["has_expiration"];
  return [
    ...textFaults(offer, { at: place, name: "text", most: LONGEST_OFFER }),
    ...faultIf(
      ends !== undefined && typeof ends !== "boolean",
      `${place}/has_expiration`,
      "type",
      "Give true or false.",
    ),
  ];
}
