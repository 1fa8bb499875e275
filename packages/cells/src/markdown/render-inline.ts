import { expandTabs, type Role, type Span } from "@unroll/screen";
import { toSpan } from "../line/plain-line.ts";
import type { Inline } from "./markdown-tree.ts";

/** The lines of a text with its marks as roles; at least one. */
export function renderInlines(content: readonly Inline[], roles: readonly Role[] = []): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  for (const span of flatten(content, { roles, link: null })) {
    if (span === "break") lines.push([]);
    else if (span.text !== "") lines.at(-1)?.push(span);
  }
  return lines;
}

interface Look {
  readonly roles: readonly Role[];
  readonly link: string | null;
}

function flatten(content: readonly Inline[], look: Look): readonly (Span | "break")[] {
  return content.flatMap((inline): readonly (Span | "break")[] => {
    switch (inline.type) {
      case "text":
        return [toLook(inline.text, look)];
      case "code":
        return [toLook(inline.text, { ...look, roles: [...look.roles, "code"] })];
      case "strong":
      case "emphasis":
      case "struck":
        return flatten(inline.content, { ...look, roles: [...look.roles, inline.type] });
      case "link": {
        const link = toAddress(inline.target);
        const spans = flatten(inline.content, { roles: [...look.roles, "link"], link });
        return inline.shown === null ? spans : [...spans, toSpan(` (${inline.shown})`, ["muted"])];
      }
      case "break":
        return ["break"];
    }
  });
}

function toLook(text: string, { roles, link }: Look): Span {
  const span = toSpan(expandTabs(text), roles);
  return link === null ? span : { ...span, link };
}

/** The address, if a terminal may open it: only the kinds that people know from a browser. */
function toAddress(target: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(target) ? target : null;
}
