import { shortenText } from "@unroll/text";

/** One thing that keeps a patch from being applied. `message` says what, where, and what to do, in a few lines. */
export type PatchProblem =
  /** The text is not a patch. `line` is the patch's, from 1. */
  | { readonly type: "patch.malformed"; readonly line: number; readonly message: string }
  /** There is no such file, or it is not a text file, or it may not be changed. */
  | { readonly type: "file.unusable"; readonly path: string; readonly message: string }
  /**
   * The lines to change are not where the hunk says. `fileLine` is the first that differs, null when nothing is close.
   */
  | {
      readonly type: "hunk.unmatched";
      readonly path: string;
      /** Which hunk of the file, from 1. */
      readonly hunk: number;
      readonly fileLine: number | null;
      readonly message: string;
    }
  /** The file has the hunk's new lines already, and not its old ones. */
  | {
      readonly type: "hunk.applied";
      readonly path: string;
      readonly hunk: number;
      readonly fileLine: number;
      readonly message: string;
    }
  /** The file changed after the plan was made. */
  | { readonly type: "file.changed"; readonly path: string; readonly message: string }
  /** Writing failed. */
  | { readonly type: "write.failed"; readonly path: string; readonly message: string }
  /** Writing failed, and this file could not be put back. */
  | { readonly type: "rollback.failed"; readonly path: string; readonly message: string };

/** A patch that was not applied. No file has changed, except those that a `rollback.failed` problem names. */
export interface PatchFailure {
  readonly type: "patch.failed";
  /** At least one, in the order of the patch; at most 20, the first ones. */
  readonly problems: readonly PatchProblem[];
  /** The whole message for the model: the problem, its place, how to continue. At most 8,000 characters. */
  readonly message: string;
}

/** More problems than this tell a model nothing new. */
export const problemLimit = 20;
const messageLimit = 8_000;
/** The space for the sentences before and after the problems. */
const frameLength = 1_000;
const problemLength = 3_000;

/** A failure of the first of these problems, its message put together from theirs. */
export function createFailure(problems: readonly PatchProblem[]): PatchFailure {
  const reported = problems.slice(0, problemLimit);
  const texts: string[] = [];
  let room = messageLimit - frameLength;
  for (const { message } of reported) {
    const text = shortenText(message, problemLength);
    room -= text.length;
    if (room >= 0) texts.push(text);
  }
  if (texts.length < problems.length) texts.push("(There are more problems than these.)");
  const message = [headline(reported), ...texts, howToGoOn(reported)].join("\n\n");
  return { type: "patch.failed", problems: reported, message };
}

function headline(problems: readonly PatchProblem[]): string {
  if (problems.some((problem) => problem.type === "rollback.failed"))
    return "The patch was not applied, and not every file could be put back as it was.";
  return "The patch was not applied. No file was changed.";
}

function howToGoOn(problems: readonly PatchProblem[]): string {
  const types = new Set(problems.map((problem) => problem.type));
  if (types.has("rollback.failed")) return "Look at the files named above before anything else.";
  if (types.has("write.failed")) return "Once the cause is gone, the same patch can be sent again.";
  if (types.has("patch.malformed")) return "Correct this and send the whole patch again.";
  const advice: string[] = [];
  if (types.has("hunk.unmatched") || types.has("file.changed"))
    advice.push("Read those places again and copy the context and removed lines from the files as they are.");
  if (types.has("file.unusable")) advice.push("Correct the paths, or leave those files out.");
  if (types.has("hunk.applied")) advice.push("Leave out what is already applied.");
  const isAllApplied = problems.every((problem) => problem.type === "hunk.applied");
  advice.push(
    isAllApplied
      ? "If anything is left of the patch, send that."
      : "Then send the whole patch again: the parts of it that did match were not applied either.",
  );
  return advice.join(" ");
}
