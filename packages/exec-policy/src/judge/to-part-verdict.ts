import { renderWords, type ShellWord, textsOf } from "../command/shell-word.ts";
import type { DecisionSource, PartVerdict } from "./verdict.ts";

/** The verdict that a source gives on a command. */
export function toPartVerdict(words: readonly ShellWord[], source: DecisionSource): PartVerdict {
  return {
    argv: textsOf(words),
    text: renderWords(words),
    decision: decisionOf(source),
    source,
    opensFile: false,
    proposedPrefix: null,
    proposedEnv: [],
  };
}

function decisionOf(source: DecisionSource): PartVerdict["decision"] {
  if (source.type === "rule.matched") return source.match.rule.decision;
  if (source.type === "network.matched") return source.rule.decision;
  return source.type === "read.recognised" ? "allow" : "prompt";
}
