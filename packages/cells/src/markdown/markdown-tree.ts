/** Markdown as it is shown: what the lexer knows, and nothing that it dropped. */
export type MarkdownBlock = { readonly hasGap: boolean } & (
  | { readonly type: "heading"; readonly depth: number; readonly content: readonly Inline[] }
  | { readonly type: "paragraph"; readonly content: readonly Inline[] }
  | { readonly type: "code"; readonly info: string; readonly lines: readonly string[] }
  | { readonly type: "quote"; readonly blocks: readonly MarkdownBlock[] }
  | { readonly type: "list"; readonly items: readonly ListItem[] }
  | TableBlock
  | { readonly type: "rule" }
  /** HTML, definitions of links, and what is not known: as it was written. */
  | { readonly type: "literal"; readonly text: string }
);

/** An item of a list, with the blocks in it. */
export interface ListItem {
  /** `-` or `3.`, as it was written. */
  readonly marker: string;
  /** Null: it is not a task. */
  readonly task: "open" | "done" | null;
  readonly blocks: readonly MarkdownBlock[];
  readonly hasGap: boolean;
}

/** A table: its rows are as wide as its header. */
export interface TableBlock {
  readonly type: "table";
  readonly header: readonly TableCell[];
  readonly rows: readonly (readonly TableCell[])[];
  readonly hasGap: boolean;
}

/** A cell of a table. */
export interface TableCell {
  readonly align: "left" | "center" | "right";
  readonly content: readonly Inline[];
}

/** A part of a line. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly content: readonly Inline[] }
  /** `shown`: the address, with its title, to show after the text; null: the text is the address. */
  | {
      readonly type: "link";
      readonly content: readonly Inline[];
      readonly target: string;
      readonly shown: string | null;
    }
  | { readonly type: "break" };
