import type { ShellWord } from "../shell/shell-word.ts";

const printsLines = /^(?:(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?p;?)+$/;

/** `sed -n 10,20p file`: prints lines by number. Every other script may write files or run commands. */
export function isSafeSed(words: readonly ShellWord[]): boolean {
  const [, option, script, ...files] = words;
  if (option?.text !== "-n" || script?.kind !== "static" || !printsLines.test(script.text)) return false;
  return files.every((file) => file.kind !== "dynamic" && !file.text.startsWith("-"));
}
