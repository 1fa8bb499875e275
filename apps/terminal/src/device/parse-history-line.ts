import type { Draft } from "@unroll/screen";

/** The message in a line of the history; null where it is no such line, as one that a crash cut off. */
export function parseHistoryLine(line: string): Draft | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string")
      return null;
    const images: unknown = "images" in value ? value.images : [];
    const isKnown = Array.isArray(images) && images.every((source): source is string => typeof source === "string");
    return { text: value.text, images: isKnown ? images : [] };
  } catch {
    return null;
  }
}
