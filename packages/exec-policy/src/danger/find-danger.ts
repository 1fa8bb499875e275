import { baseName } from "../shell/program-path.ts";
import { type ShellWord, toStaticWords } from "../shell/shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "../shell/simple-command.ts";
import { unwrapCommand } from "../shell/unwrap-command.ts";
import type { Danger, DangerContext, JudgeContext } from "./danger.ts";
import { fileDangerChecks, isDevice } from "./find-file-danger.ts";
import { findGitDanger } from "./find-git-danger.ts";
import { findSystemDanger } from "./find-system-danger.ts";

/** How deep wrappers around wrappers are looked through. */
const maximumDepth = 8;

/**
 * What makes a command dangerous: deleting roots, homes and the working folder, throwing uncommitted work away, disks,
 * devices, stopping the machine, running text from the network; also inside wrappers like `sudo` and `bash -c`. Null
 * where nothing is known against it.
 */
export function findDanger(argv: readonly string[], context: JudgeContext): Danger | null {
  const reach: DangerContext = { folders: [context.cwd], home: context.home };
  return findDangerBelow(toSimpleCommand(toStaticWords(argv)), reach, maximumDepth);
}

function findDangerBelow(command: SimpleCommand, context: DangerContext, depth: number): Danger | null {
  const own = findCommandDanger(command, context);
  const unwrapped = own === null && depth > 0 ? unwrapCommand(command, "bash") : null;
  if (unwrapped === null) return own;
  if (unwrapped.forkBombs.length > 0) return forkBomb;
  for (const inner of unwrapped.commands) {
    const danger = findDangerBelow(inner, context, depth - 1);
    if (danger !== null) return danger;
  }
  return null;
}

export const forkBomb: Danger = { name: "fork-bomb", reason: "starts copies of itself without end" };

/** The same for one command of a script, without the commands that it runs. */
export function findCommandDanger(command: SimpleCommand, context: DangerContext): Danger | null {
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
