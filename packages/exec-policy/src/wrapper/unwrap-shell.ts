import type { ShellDialect } from "../command/shell-dialect.ts";
import { readScript } from "../script/read-script.ts";
import { unknownScript } from "../script/script-reading.ts";
import type { ShellWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { plainWrapper, type Unwrapped } from "./unwrapped.ts";

const dialects: ReadonlyMap<string, ShellDialect> = new Map<string, ShellDialect>([
  ["bash", "bash"],
  ["sh", "sh"],
  ["dash", "sh"],
  ["ash", "sh"],
  ["ksh", "sh"],
  ["mksh", "sh"],
  ["zsh", "zsh"],
]);

/** Short options that do not change how a script is read. */
const plainOptions = /^-[ceuxlvps]*o?$/;
const plainLongOptions: ReadonlySet<string> = new Set(["--login", "--noprofile", "--norc"]);

/**
 * The script of `bash -c SCRIPT`, or of `bash <<'EOF'`, which reads it from its input. Null: the
 * command is not a shell, or runs a file.
 */
export function unwrapShell(command: SimpleCommand, name: string): Unwrapped | null {
  const dialect = dialects.get(name);
  if (dialect === undefined) return null;
  const options = readOptions(command.words);
  const operand = command.words[options.end];
  if (options.type === "file" && operand !== undefined && isFile(operand)) return null;
  const text = findText(command, options);
  return {
    ...plainWrapper,
    ...(text?.kind === "static" ? readScript(text.text, dialect) : unknownScript),
    dialect,
    coverage: options.type === "script" ? options.end + 1 : Number.POSITIVE_INFINITY,
  };
}

/** The word that is the script; null where none is known to be. */
function findText({ words, input }: SimpleCommand, { type, end }: ShellOptions): ShellWord | null {
  const operand = words[end] ?? null;
  if (type === "script") return operand;
  return type === "unclear" || (type === "file" && operand !== null) ? null : input;
}

/** Whether a script is in a file that is known by its name: no pipe, no input, no word that only the run tells. */
export function isFile(script: ShellWord): boolean {
  return script.kind === "static" && !/^(?:\/dev\/(?:stdin|fd\/)|\/proc\/)/.test(script.text);
}

interface ShellOptions {
  /** `script`: the next word is one; `file`: the next word, where there is one, names one; `input`: that is one. */
  readonly type: "script" | "file" | "input" | "unclear";
  readonly end: number;
}

function readOptions(words: readonly ShellWord[]): ShellOptions {
  let type: ShellOptions["type"] = "file";
  let end = 1;
  for (let word = words[end]; word !== undefined && /^[-+]/.test(word.text); word = words[end]) {
    end += 1;
    if (word.text === "-" || word.text === "--") break;
    const isPlain = plainOptions.test(word.text) || plainLongOptions.has(word.text) || word.text === "+o";
    if (word.kind !== "static" || !isPlain) return { type: "unclear", end };
    if (/^-\w*s/.test(word.text)) type = "input";
    if (/^-\w*c/.test(word.text)) type = "script";
    if (/^[-+]\w*o$/.test(word.text)) end += 1;
  }
  return { type, end };
}
