import type { ShellDialect } from "../command/shell-dialect.ts";
import { readScript } from "../script/read-script.ts";
import type { ScriptReading } from "../script/script-reading.ts";
import type { ShellWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import type { Unwrapped } from "./unwrapped.ts";

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
 * The script of `bash -c "…"`, or of `bash <<'EOF'`, which reads it from its input. Null where the command is no shell,
 * or one that runs a file.
 */
export function unwrapShell(command: SimpleCommand, name: string): Unwrapped | null {
  const dialect = dialects.get(name);
  if (dialect === undefined) return null;
  const options = readOptions(command.words);
  if (options.type === "unclear") return toUnwrapped(unread("options of the shell that are not known"), dialect, null);
  const script = command.words[options.end];
  if (options.type === "script") return toUnwrapped(readWord(script), dialect, options.end + 1);
  if (options.type === "file" && script !== undefined) {
    return isFile(script) ? null : toUnwrapped(unread("a script that is only known when it runs"), dialect, null);
  }
  return toUnwrapped(readWord(command.input ?? undefined), dialect, null);
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

function readWord(word: ShellWord | undefined): (dialect: ShellDialect) => ScriptReading {
  if (word?.kind !== "static") return unread("a script that is only known when it runs");
  return (dialect) => readScript(word.text, dialect);
}

function unread(reason: string): () => ScriptReading {
  return () => ({ commands: [], flaw: { type: "unreadable", reason }, forkBombs: [] });
}

function toUnwrapped(
  read: (dialect: ShellDialect) => ScriptReading,
  dialect: ShellDialect,
  coverage: number | null,
): Unwrapped {
  return {
    ...read(dialect),
    dialect,
    coverage: coverage ?? Number.POSITIVE_INFINITY,
    transparent: true,
    dropsEnvironment: false,
    writesOutput: false,
  };
}
