/** A relative link of a page. */
export interface PageLink {
  readonly line: number;
  /** Relative to the page's folder; empty for a place on the page itself. */
  readonly path: string;
  /** Without `#`; null: the link is to the whole file. */
  readonly anchor: string | null;
}

/** A cell of a table. */
export interface PageCell {
  readonly line: number;
  readonly text: string;
}

/** The lines of a Markdown page that are not in a code block, with their numbers from 1. */
function listProse(page: string): readonly (readonly [number, string])[] {
  let isCode = false;
  return page.split("\n").flatMap((text, index) => {
    const isFence = /^\s*(```|~~~)/.test(text);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? [] : [[index + 1, text] as const];
  });
}

/** The relative links of a page: `[text](path#anchor)`, images, and `src` and `href` of HTML. */
export function listLinks(page: string): readonly PageLink[] {
  return listProse(page).flatMap(([line, text]) => {
    const prose = text.replaceAll(/`[^`]*`/g, "");
    const targets = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|\b(?:src|href|srcset)="([^"]+)"/g)];
    return targets
      .map(([, inline, html]) => inline ?? html ?? "")
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
      .map((target) => {
        const [path = "", anchor = null] = target.split("#");
        return { line, path: decodeURIComponent(path), anchor };
      });
  });
}

/** The anchors of a page's headings, as GitHub names them: a name that comes again gets a number. */
export function listAnchors(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = listProse(page).flatMap(([, text]) => {
    const [, heading] = /^#{1,6} +(.*?) *#*$/.exec(text) ?? [];
    const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name);
    if (heading === undefined) return named;
    const slug = toSlug(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [...named, count === 0 ? slug : `${slug}-${count}`];
  });
  return new Set(anchors);
}

function toSlug(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The cells of a page's tables, without their headings. */
export function listCells(page: string): readonly PageCell[] {
  return listProse(page).flatMap(([line, text]) => {
    if (!/^\s*\|/.test(text)) return [];
    const cells = text.trim().slice(1, -1).replaceAll("\\|", " ").split("|");
    return cells.map((cell) => ({ line, text: cell.trim() }));
  });
}

/** How many sentences a cell has; code counts as a word, and a dot in a number or an abbreviation ends nothing. */
export function countSentences(text: string): number {
  const words = text
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs)\./g, "");
  return words.split(/[.!?]+["”)*_\]]*(?=\s|$)/).filter((part) => /\p{L}/u.test(part)).length;
}
