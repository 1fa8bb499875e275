import { strictestDecision } from "../language/decision.ts";
import { unconditional } from "../safe/read-grant.ts";
import { explainVerdict } from "./explain-verdict.ts";
import { toPartVerdict } from "./to-part-verdict.ts";
import type { DecisionSource, PartVerdict, Verdict } from "./verdict.ts";

/** One verdict for all: the strictest decides, and the first of those that are equally strict speaks for it. */
export function summariseVerdicts(commands: readonly PartVerdict[]): Verdict {
  const nothing = toPartVerdict([], { type: "read.recognised", grant: unconditional });
  const deciding = commands.reduce<PartVerdict | null>(
    (strictest, next) => (strictest === null || rank(next.source) > rank(strictest.source) ? next : strictest),
    null,
  );
  const { source } = deciding ?? nothing;
  return {
    decision: strictestDecision(commands.map((command) => command.decision)),
    source,
    reason: explainVerdict(deciding ?? nothing),
    commands,
    environment: gatherEnvironment(commands),
    ...(source.type === "command.unlisted" ? proposeFor(commands) : nothingProposed),
  };
}

/** Only reads ask for variables, and none asks for another value than the next. */
function gatherEnvironment(commands: readonly PartVerdict[]): Verdict["environment"] {
  return commands.reduce(
    (environment, { source }) =>
      source.type === "read.recognised" ? { ...environment, ...source.grant.environment } : environment,
    {},
  );
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
    case "read.withheld":
      return 0.75;
    case "read.recognised":
      return 0.5;
  }
}

/** Only where a rule for each unlisted command would end the question. */
function proposeFor(commands: readonly PartVerdict[]): Proposal {
  if (commands.some((command) => command.source.type === "read.withheld")) return nothingProposed;
  const unlisted = commands.filter((command) => command.source.type === "command.unlisted");
  const [first] = unlisted;
  if (first === undefined || unlisted.some((command) => command.proposedPrefix === null)) return nothingProposed;
  return { proposedPrefix: first.proposedPrefix, proposedEnv: first.proposedEnv };
}

type Proposal = Pick<Verdict, "proposedPrefix" | "proposedEnv">;

const nothingProposed: Proposal = { proposedPrefix: null, proposedEnv: [] };
