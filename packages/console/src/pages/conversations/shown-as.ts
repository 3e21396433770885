const IMAGES = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/** How a file is shown; null for one that is only saved: a picture that is a document, such as SVG, could run scripts. */
export function shownAs(mimeType: string | null): "image" | "video" | "audio" | null {
  const type = mimeType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (IMAGES.includes(type)) return "image";
  if (/^video\/(?:mp4|3gpp)$/.test(type)) return "video";
  return /^audio\/(?:aac|amr|mpeg|mp4|ogg)$/.test(type) ? "audio" : null;
}

/** The provider takes pictures of up to 5 MB; what is larger is none of a message, and waits for a click. */
const LARGEST_BYTES = 5 * 1024 * 1024;

/** Whether a file may be loaded unasked: a picture that is shown, and no large one. */
export const loadsItself = ({ mime_type: type, size }: { mime_type: string | null; size: number | null }): boolean =>
  shownAs(type) === "image" && size !== null && size <= LARGEST_BYTES;
