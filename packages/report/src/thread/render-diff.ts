import { type DiffLine, parseDiff } from "@unroll/view";
import { html, type Markup } from "../markup/html.ts";

/** A unified diff, file by file; as it is where it cannot be read. */
export function renderDiff(diff: string): Markup {
  const files = parseDiff(diff);
  if (files === null) return html`<pre>${diff}</pre>`;
  return html`${files.map(({ from, to, lines, added, removed }) => {
    const name = from === null || to === null || from === to ? (to ?? from ?? "") : `${from} → ${to}`;
    return html`<details open>
      <summary>${name} <span class="soft">+${added} −${removed}</span></summary>
      <pre class="diff">${lines.map(renderLine)}</pre>
    </details>`;
  })}`;
}

const marks = { same: " ", added: "+", removed: "-" } as const;

function renderLine(line: DiffLine): Markup {
  switch (line.type) {
    case "same":
    case "added":
    case "removed":
      return html`<span class="${line.type}">${marks[line.type]}${line.text}${"\n"}</span>`;
    case "gap":
      return html`<span class="soft">⋮${"\n"}</span>`;
    case "note":
      return html`<span class="soft">${line.text}${"\n"}</span>`;
  }
}
