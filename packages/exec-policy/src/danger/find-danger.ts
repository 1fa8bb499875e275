import { baseName } from "../command/program-path.ts";
import type { ShellWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import type { Reach } from "../command/judge-context.ts";
import type { Danger } from "./danger.ts";
import { fileDangerChecks, isDevice } from "./find-file-danger.ts";
import { findGitDanger } from "./find-git-danger.ts";
import { findSystemDanger } from "./find-system-danger.ts";

export const forkBomb: Danger = { name: "fork-bomb", reason: "starts copies of itself without end" };

/**
 * Why one command of a script is dangerous, without the commands that it runs: deleting roots,
 * homes and the working folder, discarding uncommitted work, disks, devices, stopping the machine,
 * running text from the network. Null: nothing is known against it.
 */
export function findCommandDanger(command: SimpleCommand, context: Reach): Danger | null {
  const device = command.redirects.find((redirect) => redirect.type === "write" && isDevice(redirect.target));
  if (device !== undefined) return { name: "write-device", reason: `overwrites the device ${device.target.text}` };
  const [program, ...rest] = command.words;
  if (program === undefined) return null;
  const name = baseName(program.text).toLowerCase();
  if (runsGivenText(name, rest) && command.feeds.some(bringsText)) {
    return { name: "run-download", reason: "runs text that another command fetches or decodes" };
  }
  if (name === "git") return findGitDanger(command.words, context);
  return fileDangerChecks.get(name)?.(rest, context) ?? findSystemDanger(name, command.words);
}

const interpreter = /^(?:(?:ba|da|a|k|mk|z|fi)?sh|eval|source|\.|python[\d.]*|node|perl|ruby|php|osascript)$/;

/** Whether an interpreter takes its program from its input, or from a word that another command writes. */
function runsGivenText(name: string, words: readonly ShellWord[]): boolean {
  if (!interpreter.test(name)) return false;
  const program = words.find((word) => !/^[-+]/.test(word.head));
  return program?.kind !== "static" || words.some((word) => word.text === "-s");
}

/** Whether a command gives out text from the network, or text that was hidden. */
function bringsText(command: SimpleCommand): boolean {
  const name = baseName(command.words[0]?.text ?? "");
  return /^(?:curl|wget|fetch|aria2c|nc|ncat|http|https|base64|base32|xxd|openssl|uudecode)$/.test(name);
}
