import { endPager, growPager } from "@unroll/screen";
import { toSource } from "../desk/to-source.ts";
import type { FollowedText } from "../command/terminal-command.ts";
import type { Talk } from "./talk.ts";
import { toLines } from "./to-lines.ts";

/** Between two looks at it, in ms. */
const lookMs = 200;

/** Opens a page on a text that grows, at its end, and keeps it there until the page is closed. */
export function followText({ desk, clock }: Talk, { title, read }: FollowedText): void {
  const size = desk.surface.screen.size();
  let text = read();
  let source = toSource(toLines(text));
  desk.page(title, source);
  desk.change((ui) => (ui.pager === null ? ui : { ...ui, pager: endPager(ui.pager, size) }));

  function look(): void {
    const { pager } = desk.surface.ui;
    if (pager?.source !== source) return;
    const next = read();
    if (next !== text) {
      [text, source] = [next, toSource(toLines(next))];
      desk.change((ui) => ({ ...ui, pager: growPager(pager, source, desk.surface.screen.size()) }));
    }
    clock.setTimer(lookMs, look);
  }
  clock.setTimer(lookMs, look);
}
