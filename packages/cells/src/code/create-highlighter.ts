import library from "highlight.js/lib/common";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import haskell from "highlight.js/lib/languages/haskell";
import nix from "highlight.js/lib/languages/nix";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import type { Highlighter } from "./highlighter.ts";
import { parseHighlighted } from "./parse-highlighted.ts";

/** Languages that highlight.js's common set lacks. */
const others = { dart, dockerfile, elixir, haskell, nix, powershell, protobuf, scala };
/** Names that the library does not have. `shell` is the transcript of a terminal there; models mean a script by it. */
const aliases = {
  bash: ["shell"],
  json: ["jsonl"],
  plaintext: ["console", "log", "output", "plain"],
  python: ["python3"],
  xml: ["htm", "svelte", "vue"],
};

/** The languages that models write most, by highlight.js. Loading this takes about 15 ms. */
export function createHighlighter(): Highlighter {
  for (const [name, language] of Object.entries(others)) library.registerLanguage(name, language);
  library.unregisterLanguage("shell");
  for (const [languageName, names] of Object.entries(aliases)) library.registerAliases(names, { languageName });
  const knows = (language: string): boolean => library.getLanguage(language) !== undefined;
  return {
    knows,
    highlight(code, language) {
      if (!knows(language)) return null;
      return parseHighlighted(library.highlight(code, { language, ignoreIllegals: true }).value);
    },
  };
}
