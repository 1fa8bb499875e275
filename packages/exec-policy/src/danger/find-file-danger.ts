import type { ShellWord } from "../command/shell-word.ts";
import type { Reach } from "../command/judge-context.ts";
import type { Danger } from "./danger.ts";
import { findSearchDanger } from "./find-search-danger.ts";
import { isSystemPath, isVitalPath } from "./is-vital-path.ts";

/** Commands that take files away or hand them over. `words` starts after the program. */
export type FileDangerCheck = (words: readonly ShellWord[], context: Reach) => Danger | null;

export const fileDangerChecks: ReadonlyMap<string, FileDangerCheck> = new Map<string, FileDangerCheck>([
  ["rm", findRemoval],
  ["find", findSearchDanger],
  ["chmod", findRecursiveChange],
  ["chown", findRecursiveChange],
  ["chgrp", findRecursiveChange],
  ["mv", findMoveAway],
  ["dd", findRawCopy],
  ["truncate", findCut],
  ["shred", () => ({ name: "overwrite", reason: "overwrites files so that they cannot be restored" })],
  ["srm", () => ({ name: "overwrite", reason: "overwrites files so that they cannot be restored" })],
  ["wipe", () => ({ name: "overwrite", reason: "overwrites files so that they cannot be restored" })],
  ["tee", findDeviceOperand],
  ["cp", findDeviceOperand],
]);

function findRemoval(words: readonly ShellWord[], context: Reach): Danger | null {
  if (words.some((word) => word.text.startsWith("--no-p"))) {
    return { name: "remove-root", reason: "takes away the guard of the root folder" };
  }
  if (!hasOption(words, /^-\w*[rR]|^--r/)) return null;
  const vital = operandsOf(words).find((operand) => isVitalPath(operand, context));
  if (vital === undefined) return null;
  return { name: "remove-tree", reason: `deletes ${describe(vital)} with everything in it` };
}

function findRecursiveChange(words: readonly ShellWord[], context: Reach): Danger | null {
  if (!hasOption(words, /^-\w*R|^--rec/)) return null;
  const system = { folders: [], home: context.home };
  const vital = operandsOf(words)
    .slice(1)
    .find((word) => word.withoutExpansions !== "" && isVitalPath(word, system));
  if (vital === undefined) return null;
  return { name: "change-tree", reason: `changes who may use ${describe(vital)} and everything in it` };
}

function findMoveAway(words: readonly ShellWord[], context: Reach): Danger | null {
  const operands = operandsOf(words);
  if (operands.at(-1)?.text === "/dev/null") return { name: "move-away", reason: "throws the moved file away" };
  const system = { folders: [], home: context.home };
  const vital = operands.slice(0, -1).find((word) => word.withoutExpansions !== "" && isVitalPath(word, system));
  return vital === undefined ? null : { name: "move-away", reason: `moves ${describe(vital)} away` };
}

function findRawCopy(words: readonly ShellWord[], context: Reach): Danger | null {
  const target = words.find((word) => word.withoutExpansions.startsWith("of="));
  if (target === undefined) return null;
  const [text = "", head = "", path = ""] = [target.text, target.head, target.withoutExpansions].map((part) =>
    part.replace(/^of=/, ""),
  );
  const file = { kind: target.kind, text, head, withoutExpansions: path };
  const isUnknown = target.kind !== "static" && target.head === "of=";
  if (!isUnknown && !isDevice(file) && !isSystemPath(file, context)) return null;
  return { name: "raw-copy", reason: `overwrites ${text} byte by byte` };
}

function findCut(words: readonly ShellWord[], context: Reach): Danger | null {
  const file = operandsOf(words).find((word) => isDevice(word) || isSystemPath(word, context));
  return file === undefined ? null : { name: "overwrite", reason: `cuts ${file.text}, whose content is lost then` };
}

function findDeviceOperand(words: readonly ShellWord[]): Danger | null {
  const device = operandsOf(words).find((word) => isDevice(word));
  return device === undefined ? null : { name: "write-device", reason: `overwrites the device ${device.text}` };
}

/** A disk, a partition or memory: what a write destroys at once. */
export function isDevice(word: ShellWord): boolean {
  return /^\/dev\/(?!null$|stdout$|stderr$|tty$|zero$|full$|fd\/|shm\/|pts\/|tcp\/|udp\/|random$|urandom$)/.test(
    word.head,
  );
}

function describe(word: ShellWord): string {
  return word.kind === "static" ? word.text : `${word.text} (known only when it runs)`;
}

function hasOption(words: readonly ShellWord[], option: RegExp): boolean {
  return words.some((word) => option.test(word.head));
}

function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex((word) => word.text === "--");
  const options = end === -1 ? words : words.slice(0, end);
  return [...options.filter((word) => !word.head.startsWith("-")), ...(end === -1 ? [] : words.slice(end + 1))];
}
