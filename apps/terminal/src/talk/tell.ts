import { renderMarkdown } from "@unroll/cells";
import type { Role } from "@unroll/screen";
import type { Talk } from "./talk.ts";
import { toLines } from "./to-lines.ts";

/** Puts words of ours into the transcript. */
export function tell({ desk }: Pick<Talk, "desk">, text: string, role: Role | null = null): void {
  const lines = toLines(text, role === null ? [] : [role]);
  const { transcript } = desk.surface;
  if (transcript === null) desk.surface.say(lines);
  else transcript.add({ type: "lines", lines });
  desk.surface.loop.request();
}

export function tellMarkdown({ desk, libraries }: Pick<Talk, "desk" | "libraries">, markdown: string): void {
  const columns = desk.surface.screen.size().columns - 1;
  const lines = renderMarkdown(markdown, { ...libraries, columns });
  desk.surface.transcript?.add({ type: "lines", lines });
  desk.surface.loop.request();
}
