import { toProgramPlaces } from "@unroll/program";
import type { ReviewTarget } from "@unroll/report";
import type { ReviewChoice } from "@unroll/use-cases/review";
import { toOneLine } from "../../text/to-one-line.ts";
import { tellUsageBeside } from "../tell-usage-beside.ts";
import type { ArgumentChoice, ArgumentContext, CommandContext, TerminalCommand } from "../terminal-command.ts";

export const reviewCommand: TerminalCommand = {
  name: "review",
  description: "review changes in a separate read-only thread",
  argument: "[uncommitted|branch NAME|commit SHA|TASK]",
  choices: listTargets,
  timing: "between_turns",
  isHarmless: true,
  async run(context, argument) {
    const target = argument === "" ? await chooseTarget(context) : readTarget(argument);
    if (target === null) return;
    await review(context, target);
  },
};

async function listTargets(context: ArgumentContext): Promise<readonly ArgumentChoice[]> {
  const [branches, commits] = await Promise.all([listKnown(context, "branch"), listKnown(context, "commit")]);
  const toChoice = (kind: KnownKind, { name, description }: ReviewChoice): ArgumentChoice => ({
    value: `${kind} ${name}`,
    description: toOneLine(description),
  });
  return [
    { value: "uncommitted", description: "uncommitted changes, including new files" },
    ...branches.map((each) => toChoice("branch", each)),
    ...commits.map((each) => toChoice("commit", each)),
  ];
}

function readTarget(argument: string): ReviewTarget {
  const [, kind = "", name = ""] = /^(branch|commit)\s+([\w./@~^-]+)$/.exec(argument) ?? [];
  if (argument === "uncommitted") return { type: "uncommitted" };
  if (kind === "branch") return { type: "branch", branch: name };
  if (kind === "commit") return { type: "commit", commit: name };
  return { type: "custom", text: argument };
}

async function chooseTarget(context: CommandContext): Promise<ReviewTarget | null> {
  const { choose, prefill, tell } = context;
  const options = [
    { value: "uncommitted", label: "uncommitted changes", description: "including new files" },
    { value: "branch", label: "this branch", description: "against another branch" },
    { value: "commit", label: "a commit", description: "by its id" },
    { value: "custom", label: "something else", description: "in your own words" },
  ];
  const kind = await choose({ title: "Review what?", options });
  if (kind === null) return null;
  if (kind === "uncommitted") return { type: "uncommitted" };
  if (kind === "branch" || kind === "commit") {
    const known = await listKnown(context, kind);
    if (known.length > 0) return chooseKnown(context, kind, known);
  }
  prefill(kind === "custom" ? "/review " : `/review ${kind} `);
  const whole = { custom: "TASK", branch: "branch NAME", commit: "commit SHA" }[
    kind === "branch" || kind === "commit" ? kind : "custom"
  ];
  tell(`To continue, complete this line: /review ${whole}`);
  return null;
}

type KnownKind = "branch" | "commit";

async function listKnown(context: ArgumentContext, kind: KnownKind): Promise<readonly ReviewChoice[]> {
  const { listReviewBranches, listReviewCommits } = await import("@unroll/use-cases/review");
  const { thread, host, signal } = context;
  const place = { ...toProgramPlaces(thread.config, host), signal };
  return (kind === "branch" ? listReviewBranches : listReviewCommits)(place);
}

async function chooseKnown(
  { choose }: CommandContext,
  kind: KnownKind,
  known: readonly ReviewChoice[],
): Promise<ReviewTarget | null> {
  const options = known.map(({ name, description }) => ({
    value: name,
    description: toOneLine(description),
  }));
  const name = await choose({ title: kind === "branch" ? "Against which branch?" : "Which commit?", options });
  if (name === null) return null;
  return kind === "branch" ? { type: "branch", branch: name } : { type: "commit", commit: name };
}

/** The findings go to the model with your next message. */
async function review(context: CommandContext, target: ReviewTarget): Promise<void> {
  const { thread, host, runBeside, show, signal, tell } = context;
  const { openReview, parseReview } = await import("@unroll/use-cases/review");
  const { describeReviewTarget, renderReview } = await import("@unroll/report");
  const opened = await openReview(target, { host, config: thread.config, signal });
  if (opened.type === "refused") return tell(opened.message);
  await using reviewing = opened;
  tell(`Reviewing ${describeReviewTarget(target)}, read-only.`);
  const outcome = await runBeside((stop) => reviewing.run(stop));
  tellUsageBeside(context, "review", outcome.usage);
  if (outcome.type !== "completed") return;
  const answer = outcome.finalMessage ?? "";
  if (answer === "") return tell("The model's review is empty.");
  const found = parseReview(answer);
  const text = found === null ? answer : renderReview(found); // a review in prose may have findings
  show(text);
  if (found?.findings.length === 0) return;
  const message = `A review of ${describeReviewTarget(target)} found:\n\n${text}`;
  await thread.send([{ type: "text", text: message, isAdded: true }]);
  tell("The model gets these findings with your next message. Tell it which to fix.");
}
