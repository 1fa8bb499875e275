/** A short value between tags, on one line. */
export function tagValue(tag: string, value: string): string {
  return `<${tag}>${escapeClosingTag(tag, value)}</${tag}>`;
}

/**
 * Text of anybody's that goes between tags must not end them: `</tag` in it becomes `&lt;/tag`, in any case and spacing.
 * All else stays as written, so that code and paths read as they are. `tag` is one of ours: letters, `_` and blanks.
 */
export function escapeClosingTag(tag: string, text: string): string {
  if (!text.includes("<")) return text;
  const [word] = tag.split(" ");
  return text.replace(new RegExp(`<(?=\\s*/\\s*${word}\\b)`, "giu"), "&lt;");
}
