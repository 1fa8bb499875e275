import type { Role, Span } from "@unroll/screen";

/** Parses highlight.js output (`<span class="hljs-keyword">if</span> a &lt; b`) into lines of spans. */
export function parseHighlighted(html: string): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  const scopes: (Role | null)[] = [];
  for (const [piece] of html.matchAll(/<span class="[^"]*">|<\/span>|\n|[^<\n]+|</g)) {
    if (piece === "\n") lines.push([]);
    else if (piece === "</span>") scopes.pop();
    else if (piece.startsWith("<span ")) scopes.push(toRole(piece) ?? scopes.at(-1) ?? null);
    else lines.at(-1)?.push(toColored(decode(piece), scopes.at(-1) ?? null));
  }
  return lines;
}

function toColored(text: string, role: Role | null): Span {
  return role === null ? { text } : { text, roles: [role] };
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decode(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => entities[name] ?? whole);
}

function toRole(tag: string): Role | null {
  const [, scope = ""] = /hljs-([a-z-]+)/.exec(tag) ?? [];
  return roles[scope] ?? null;
}

/** Scopes of highlight.js (its scope reference); what is not here has the look of what it is in. */
const roles: Readonly<Record<string, Role>> = {
  keyword: "code-keyword",
  literal: "code-keyword",
  "selector-tag": "code-keyword",
  operator: "code-keyword",
  section: "code-keyword",
  string: "code-string",
  regexp: "code-string",
  char: "code-string",
  link: "code-string",
  symbol: "code-string",
  addition: "added",
  deletion: "removed",
  number: "code-number",
  bullet: "code-number",
  comment: "code-comment",
  quote: "code-comment",
  doctag: "code-comment",
  meta: "code-comment",
  title: "code-name",
  function: "code-name",
  attr: "code-name",
  attribute: "code-name",
  property: "code-name",
  name: "code-name",
  "selector-class": "code-name",
  "selector-id": "code-name",
  type: "code-type",
  class: "code-type",
  built_in: "code-type",
  "template-variable": "code-type",
};
