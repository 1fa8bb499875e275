import { sliceWhole } from "./slice-whole.ts";

/**
 * For messages: the text, or its start of at most `maxLength` UTF-16 units and `…` behind it, never with half a surrogate
 * pair at the cut.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${sliceWhole(text, 0, maxLength)}…`;
}
