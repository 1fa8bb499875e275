/**
 * For messages: the text, or its start of at most `maxLength` UTF-16 units and `…` behind it, never with half a surrogate
 * pair at the cut.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isInPair = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isInPair ? maxLength - 1 : maxLength)}…`;
}
