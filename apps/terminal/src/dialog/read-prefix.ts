import { answersQuestion, describePrefix, readScript } from "@unroll/exec-policy";
import type { CommandQuestion } from "@unroll/protocol";
import { showExact } from "@unroll/text";

/** The prefix that you typed for a rule that always allows. */
export type ReadPrefix =
  | {
      readonly type: "usable";
      readonly prefix: readonly string[];
      /** The commands that the rule allows, in sentences. `warning`: a reason against it; null: none. */
      readonly allows: string;
      readonly warning: string | null;
    }
  /** The reason, in a sentence. */
  | { readonly type: "refused"; readonly message: string };

export function readPrefix(text: string, question: CommandQuestion): ReadPrefix {
  const { command, cwd, proposedPrefix, proposedEnv } = question;
  const prefix = readWords(text);
  if (prefix === null) return { type: "refused", message: "This is not the start of a single plain command." };
  const asked = {
    command: { script: command, shell: "bash" },
    cwd,
    proposedPrefix: proposedPrefix ?? [],
    proposedEnv,
  } as const;
  if (!answersQuestion(prefix, asked)) {
    const message = "The command does not start with this, so the rule would not allow it.";
    return { type: "refused", message };
  }
  const { allows, warning } = describePrefix(prefix, proposedEnv);
  return { type: "usable", prefix, allows: toOneLine(allows), warning: warning === null ? null : toOneLine(warning) };
}

function readWords(text: string): readonly string[] | null {
  const { commands, flaw } = readScript(text, "bash");
  const [command] = commands;
  if (flaw !== null || command === undefined || commands.length > 1 || command.words.length === 0) return null;
  return command.words.every((word) => word.kind === "static") ? command.words.map((word) => word.text) : null;
}

/** It is shown within one of our lines. */
function toOneLine(text: string): string {
  return showExact(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
