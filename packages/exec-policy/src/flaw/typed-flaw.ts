import { baseName } from "../command/program-path.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import type { ScriptFlaw } from "./script-flaw.ts";

/** Any control character but Enter: keys that edit, complete or recall the line, or begin such a key. */
const lineKey = /[^\P{Cc}\n]/u;
/**
 * Bash and zsh replace it by an earlier line, or a part of one; `^a^b` at the start of a line does
 * so, too.
 */
const recall = /!(?![\s=]|$)|^\^/m;
/** Programs after which keys or words stand for something else, and those that run an earlier line. */
const lastingPrograms: ReadonlySet<string> = new Set("alias bind bindkey fc r stty zle".split(" "));
/** Variables after which other signs recall lines, other names for commands, and what a shell runs before each line. */
const lastingVariables: ReadonlySet<string> = new Set(
  "BASH_ALIASES HISTCHARS PROMPT_COMMAND aliases galiases histchars saliases".split(" "),
);

/** Why typed text may not be the text that the shell gets. */
export function findKeysFlaw(argv: readonly string[], isTyped: boolean): ScriptFlaw | null {
  if (!isTyped) return null;
  if (argv.some((word) => lineKey.test(word))) return unreadable("keys that edit, complete or recall the line");
  return argv.some((word) => recall.test(word)) ? unreadable("`!` or `^`, which recall earlier lines") : null;
}

/** Why later lines of a shell may do something else than they say. */
export function findLastingFlaw(commands: readonly SimpleCommand[]): ScriptFlaw | null {
  const names = commands.flatMap(({ words: [program], assignments }) => [
    baseName(program?.text ?? ""),
    ...assignments,
  ]);
  const found = names.find((name) => lastingPrograms.has(name) || lastingVariables.has(name));
  return found === undefined
    ? null
    : unreadable(`\`${found}\`, after which a line may run something else than it says`);
}

/** Treats each key as the end of a line: the text before it may be sent by itself. */
export function splitAtKeys(word: string): string {
  return word.replaceAll(new RegExp(`${lineKey.source}`, "gu"), (key) => (key === "\t" ? key : "\n"));
}

function unreadable(reason: string): ScriptFlaw {
  return { type: "unreadable", reason };
}
