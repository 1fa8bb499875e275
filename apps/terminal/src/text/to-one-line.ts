import { showHidden } from "@unroll/text";

/** A text as one line of ours: hidden characters are escaped, and line ends become spaces. */
export function toOneLine(text: string): string {
  return showHidden(text).replaceAll(/\s+/g, " ");
}
