const IMAGES = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/** How a file is shown; null for one that is only saved: a picture that is a document, such as SVG, could run scripts. */
export function shownAs(mimeType: string | null): "image" | "video" | "audio" | null {
  const type = mimeType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (IMAGES.includes(type)) return "image";
  if (/^video\/(?:mp4|3gpp)$/.test(type)) return "video";
  return /^audio\/(?:aac|amr|mpeg|mp4|ogg)$/.test(type) ? "audio" : null;
}
