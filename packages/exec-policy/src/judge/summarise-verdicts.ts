import { strictestDecision } from "../decision.ts";
import { renderWords, type ShellWord, textsOf } from "../shell/shell-word.ts";
import { explainVerdict } from "./explain-verdict.ts";
import type { CommandVerdict, DecisionSource, Verdict } from "./verdict.ts";

export function toCommandVerdict(words: readonly ShellWord[], source: DecisionSource): CommandVerdict {
  return { argv: textsOf(words), text: renderWords(words), decision: decisionOf(source), source, proposedPrefix: null };
}

function decisionOf(source: DecisionSource): CommandVerdict["decision"] {
  if (source.type === "rule.matched") return source.match.rule.decision;
  if (source.type === "network.matched") return source.rule.decision;
  return source.type === "read.recognised" ? "allow" : "prompt";
}

/** One verdict for all: the strictest decides, and the first of those that are equally strict speaks for it. */
export function summariseVerdicts(commands: readonly CommandVerdict[]): Verdict {
  const nothing = toCommandVerdict([], { type: "read.recognised" });
  const deciding = commands.reduce<CommandVerdict | null>(
    (strictest, next) => (strictest === null || rank(next.source) > rank(strictest.source) ? next : strictest),
    null,
  );
  const { source } = deciding ?? nothing;
  return {
    decision: strictestDecision(commands.map((command) => command.decision)),
    source,
    reason: explainVerdict(deciding ?? nothing),
    commands,
    proposedPrefix: source.type === "command.unlisted" ? proposeFor(commands) : null,
  };
}

/** The weightiest of several sources; of equals the first. */
export function strictestSource(sources: readonly DecisionSource[]): DecisionSource | null {
  return sources.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}

/** How much a source weighs against the others, across equal decisions. */
function rank(source: DecisionSource): number {
  switch (source.type) {
    case "rule.matched":
      return { allow: 0, prompt: 6, forbidden: 7 }[source.match.rule.decision];
    case "network.matched":
      return { allow: 0, prompt: 6, forbidden: 7 }[source.rule.decision];
    case "rule.suspected":
      return 4;
    case "danger.found":
      return source.consent === null ? 5 : 3;
    case "script.unread":
      return 2;
    case "command.unlisted":
      return 1;
    case "read.recognised":
      return 0.5;
  }
}

/** Only where a rule for each unlisted command would end the question. */
function proposeFor(commands: readonly CommandVerdict[]): readonly string[] | null {
  const unlisted = commands.filter((command) => command.source.type === "command.unlisted");
  return unlisted.every((command) => command.proposedPrefix !== null) ? (unlisted[0]?.proposedPrefix ?? null) : null;
}
