import type { Terminal } from "../terminal.ts";
import { layOut, type PlainPart } from "./lay-out.ts";

/** A longer page is not read. */
const mostRows = 40;
/** Beside the page, on the screen: title, count and the keys. */
const otherRows = 6;

/**
 * Shows what is asked, whole: where it is too much for the screen, page by page, and each has to be asked for. Returns
 * whether all was shown; false: the person left before.
 */
export async function showAsked(
  terminal: Terminal,
  { title, parts }: { readonly title: string; readonly parts: readonly PlainPart[] },
  signal: AbortSignal,
): Promise<boolean> {
  const size = terminal.size();
  const rows = layOut(parts, size?.columns ?? null);
  const page = size === null ? Infinity : Math.max(3, Math.min(mostRows, size.rows - otherRows));
  terminal.say(`\n? ${title}`);
  for (let from = 0; from < rows.length; from += page) {
    const to = Math.min(from + page, rows.length);
    terminal.sayRows(rows.slice(from, to));
    if (to === rows.length) return true;
    const question = `  line ${from + 1}-${to} of ${rows.length}. Enter shows more: `;
    const more = await terminal.askFresh(question, { signal });
    signal.throwIfAborted();
    if (more === null) return false;
  }
  return true;
}
