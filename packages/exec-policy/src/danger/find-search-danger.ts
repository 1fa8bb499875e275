import { baseName } from "../command/program-path.ts";
import { type ShellWord, toStaticWord } from "../command/shell-word.ts";
import type { Reach } from "../command/judge-context.ts";
import type { Danger } from "./danger.ts";
import { isVitalPath } from "./is-vital-path.ts";

/**
 * A `find` that deletes: from roots and homes always, from the working folder unless its tests narrow the search down.
 * `words` starts after the program.
 */
export function findSearchDanger(words: readonly ShellWord[], context: Reach): Danger | null {
  const action = words.findIndex(({ text }, index) => text === "-delete" || removesFound(words, index));
  if (action === -1) return null;
  const start = words.findIndex((word) => /^-(?![HLP]$)|^[(!]$/.test(word.text));
  const given = words.slice(0, start).filter((word) => !/^-[HLP]$/.test(word.text));
  const roots = given.length === 0 ? [toStaticWord(".")] : given;
  const isNarrow = narrowsDown(words.slice(start, action));
  const isBounded = roots.every(
    (root) => !isVitalPath(root, context) || (isNarrow && isOrdinaryWorkingFolder(root, context)),
  );
  return isBounded ? null : { name: "remove-found", reason: "deletes whatever the search finds" };
}

function removesFound(words: readonly ShellWord[], index: number): boolean {
  if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index]?.text ?? "")) return false;
  return words.slice(index + 1).some((word) => /^(?:rm|unlink)$/.test(baseName(word.text)));
}

/** Whether a word is the working folder, that folder no root or home, and none that a script left it for holds it. */
function isOrdinaryWorkingFolder({ text }: ShellWord, { folders, home }: Reach): boolean {
  const [first = "/", ...reached] = folders;
  const isFirst = text === first;
  if (!isFirst && !/^\.\/*$/.test(text)) return false;
  if (isVitalPath(toStaticWord(first), { folders: [], home })) return false;
  return isFirst || !reached.some((folder) => isVitalPath(toStaticWord(folder), { folders: [first], home }));
}

const narrowingTest = /^-(?:i?name|i?path|i?wholename|i?regex|[acm](?:time|min)|newer\w*|size)$/;

/** Whether the tests in front of an action leave out most files on every side of an "or". */
function narrowsDown(tests: readonly ShellWord[]): boolean {
  const sides: boolean[] = [false];
  for (const [index, { text }] of tests.entries()) {
    const next = tests[index + 1];
    const isNegated = /^(?:!|-not)$/.test(tests[index - 1]?.text ?? "");
    if (isNegated && text === "(") return false;
    if (/^(?:-o|-or|,)$/.test(text)) sides.push(false);
    const tells = next?.kind === "static" && !/^[*?.+/]*$/.test(next.text);
    if (!isNegated && (text === "-empty" || (narrowingTest.test(text) && tells))) sides[sides.length - 1] = true;
  }
  return !sides.includes(false);
}
