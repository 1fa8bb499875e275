/** As `slice` from `start` to `end`, both in UTF-16 units from the beginning, but without half a surrogate pair at either cut. */
export function sliceWhole(text: string, start: number, end: number = text.length): string {
  return text.slice(isInPair(text, start) ? start + 1 : start, isInPair(text, end) ? end - 1 : end);
}

function isInPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
