import type { Command } from "commander";

/** One word that is nearly a subcommand, `names` are theirs, was meant as one: a usage error of the program. */
export function refuseSlip(program: Command, word: string, names: readonly string[]): void {
  if (!/^[a-z][a-z-]*$/.test(word) || names.includes(word)) return;
  const near = names.find((name) => isSlip(word, name));
  if (near === undefined) return;
  program.error(`error: unknown command '${word}': did you mean ${near}? (To send it as a prompt: " ${word}")`);
}

/** One letter too much, too little, another one, or two in the wrong order. */
function isSlip(typed: string, name: string): boolean {
  if (Math.abs(typed.length - name.length) > 1) return false;
  let at = 0;
  while (at < name.length && typed[at] === name[at]) at += 1;
  const [rest, wanted] = [typed.slice(at), name.slice(at)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return rest.slice(1) === wanted.slice(1) || rest === wanted.slice(1) || rest.slice(1) === wanted || isSwapped;
}
