/** A piece of a Markdown text that what follows it can no longer change. The pieces hold all lines of the text, in order. */
export type BlockSource = ProseSource | CodeSource;

export interface ProseSource {
  readonly type: "prose";
  readonly lines: readonly string[];
  /** Whether an empty line precedes it. */
  readonly hasGap: boolean;
}

/** Lines of a fenced block: all of them, or of a long one as many as are shown at once. */
export interface CodeSource {
  readonly type: "code";
  /** The text after the opening fence. */
  readonly info: string;
  readonly lines: readonly string[];
  /** Lines of the same block in front of them, so that they are highlighted as what they are. */
  readonly before: readonly string[];
  /** Whether the block begins with them. */
  readonly isFirst: boolean;
  readonly hasGap: boolean;
}
