import type { Highlighter } from "./highlighter.ts";

/** Colours nothing: for what is only counted, or seen for a moment. */
export const plainHighlighter: Highlighter = {
  highlight: () => null,
  load: () => false,
  settled: () => Promise.resolve(),
};
