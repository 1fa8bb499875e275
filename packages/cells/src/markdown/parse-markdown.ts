import type { Marked, MarkedToken, Token, Tokens } from "marked";
import type { Inline, ListItem, MarkdownBlock, TableCell } from "./markdown-tree.ts";

/** The lexer of Markdown: `marked`, of which only that is used. */
export type MarkdownLexer = Pick<Marked, "lexer">;

export function parseMarkdown(text: string, lexer: MarkdownLexer): readonly MarkdownBlock[] {
  return parseBlocks(lexer.lexer(text));
}

/** We use no extensions, so the library's own token types are the only ones. */
function known(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[];
}

function parseBlocks(tokens: readonly Token[]): readonly MarkdownBlock[] {
  const all = known(tokens);
  return all.flatMap((token, at): readonly MarkdownBlock[] => {
    const block = parseBlock(token);
    return block === null ? [] : [{ ...block, hasGap: at > 0 && endsWithGap(all[at - 1]) }];
  });
}

/** Whether an empty line follows it in the source. */
function endsWithGap(before: { readonly raw: string; readonly type: string } | undefined): boolean {
  return before !== undefined && (before.type === "space" || /\n[ \t]*\n[ \t]*$/.test(before.raw));
}

function parseBlock(token: MarkedToken): MarkdownBlock | null {
  const hasGap = false;
  switch (token.type) {
    case "space":
    case "checkbox":
      return null;
    case "heading":
      return { type: "heading", hasGap, depth: token.depth, content: parseInlines(token.tokens) };
    case "paragraph":
      return { type: "paragraph", hasGap, content: parseInlines(token.tokens) };
    case "text":
      return {
        type: "paragraph",
        hasGap,
        content: token.tokens ? parseInlines(token.tokens) : [{ type: "text", text: token.text }],
      };
    case "code":
      return { type: "code", hasGap, info: token.lang ?? "", lines: token.text.split("\n") };
    case "blockquote":
      return { type: "quote", hasGap, blocks: parseBlocks(token.tokens) };
    case "list":
      return { type: "list", hasGap, items: token.items.map((item, at) => parseItem(item, token.items[at - 1])) };
    case "table":
      return {
        type: "table",
        hasGap,
        header: token.header.map(parseCell),
        rows: token.rows.map((row) => row.map(parseCell)),
      };
    case "hr":
      return { type: "rule", hasGap };
    case "html":
    case "def":
    case "br":
    case "codespan":
    case "del":
    case "em":
    case "escape":
    case "image":
    case "link":
    case "list_item":
    case "strong":
      return { type: "literal", hasGap, text: token.raw.replace(/\n+$/, "") };
  }
}

function parseItem(item: Tokens.ListItem, before: Tokens.ListItem | undefined): ListItem {
  const [, marker = "-"] = /^\s*([-*+]|\d+[.)])/.exec(item.raw) ?? [];
  return {
    marker,
    task: item.task ? (item.checked === true ? "done" : "open") : null,
    blocks: parseBlocks(item.tokens),
    hasGap: endsWithGap(before),
  };
}

function parseCell({ align, tokens }: Tokens.TableCell): TableCell {
  return { align: align ?? "left", content: parseInlines(tokens) };
}

function parseInlines(tokens: readonly Token[]): readonly Inline[] {
  return known(tokens).flatMap(parseInline);
}

function parseInline(token: MarkedToken): readonly Inline[] {
  switch (token.type) {
    case "strong":
      return [{ type: "strong", content: parseInlines(token.tokens) }];
    case "em":
      return [{ type: "emphasis", content: parseInlines(token.tokens) }];
    case "del":
      return [{ type: "struck", content: parseInlines(token.tokens) }];
    case "codespan":
      return [{ type: "code", text: token.text }];
    case "br":
      return [{ type: "break" }];
    case "link":
      return [parseLink(token)];
    case "image": {
      const content: readonly Inline[] = [{ type: "text", text: token.text === "" ? "image" : token.text }];
      return [{ type: "link", content, target: token.href, shown: describeTarget(token) }];
    }
    case "text":
      return token.tokens ? parseInlines(token.tokens) : toTexts(token.text);
    case "escape":
      return [{ type: "text", text: token.text }];
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? [{ type: "break" }] : [{ type: "text", text: token.raw }];
    case "checkbox":
      return [];
    case "space":
    case "heading":
    case "paragraph":
    case "code":
    case "blockquote":
    case "list":
    case "list_item":
    case "table":
    case "hr":
    case "def":
      return toTexts(token.raw);
  }
}

/** Line breaks are kept: text for a terminal is broken on purpose. */
function toTexts(text: string): readonly Inline[] {
  return decodeEntities(text)
    .split("\n")
    .flatMap((line, at): readonly Inline[] => {
      const own = { type: "text", text: line } as const;
      return at === 0 ? [own] : [{ type: "break" }, own];
    });
}

function parseLink(token: Tokens.Link): Inline {
  const content = parseInlines(token.tokens);
  const isNamed = token.raw.startsWith("[") && token.text !== token.href;
  return { type: "link", content, target: token.href, shown: isNamed ? describeTarget(token) : null };
}

function describeTarget({ href, title }: Pick<Tokens.Link, "href" | "title">): string {
  return title ? `${href} "${title}"` : href;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The entities that models write in prose. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
}
