import { takeText } from "@unroll/program";
import type { ReviewTarget } from "@unroll/report";
import { type Command, Option } from "commander";

/** The flags of `addReviewFlags`. */
export interface ReviewFlags {
  readonly uncommitted?: boolean;
  readonly base?: string;
  readonly commit?: string;
  readonly title?: string;
}

/** The flags for the target of a review. */
export function addReviewFlags(command: Command): Command {
  return command
    .argument("[prompt]", "the focus of the review; without a flag: what to review")
    .option("--uncommitted", "uncommitted changes, including new files (the default)")
    .option("--base <branch>", "the changes that a merge into this branch would bring", takeText)
    .option("--commit <sha>", "this commit", takeText)
    .addOption(new Option("--title <text>", "accepted for other clients; no effect").hideHelp())
    .allowExcessArguments(false);
}

export function readReviewTarget(command: Command, prompt: string | undefined, flags: ReviewFlags): ReviewTarget {
  const { uncommitted, base, commit } = flags;
  if ([uncommitted, base, commit].filter((each) => each !== undefined).length > 1)
    command.error("error: use only one of --uncommitted, --base and --commit");
  if (base !== undefined) return { type: "branch", branch: base };
  if (commit !== undefined) return { type: "commit", commit };
  return uncommitted || prompt === undefined ? { type: "uncommitted" } : { type: "custom", text: prompt };
}
