import { join } from "shlex";
import { baseName } from "../command/program-path.ts";
import { broadPrograms, interpreter, namingWords } from "./prefix-shapes.ts";

/** Options that let a program run other code than its subcommand says. */
const codeOptions: ReadonlyMap<string, RegExp> = new Map([
  ["cargo", /^--config\b/],
  ["docker", /^(?:-H|--host|--context)\b/],
  ["git", /^(?:-c$|--config-env|--exec-path)/],
  ["make", /^(?:-f|--eval|--file|--makefile)/],
  ["npm", /^--(?:node-options|script-shell)/],
]);

/** Why a prefix stands for too many commands to be allowed at once, as a sentence; null where it does not. */
export function findWidthWarning(prefix: readonly string[]): string | null {
  const [program, first = "", second] = prefix;
  if (program === undefined) return "It is every command there is.";
  const name = baseName(program);
  const isBroad = interpreter.test(name) || namingWords.has(name) || broadPrograms.has(name);
  if (prefix.length === 1) return isBroad ? `\`${program}\` alone can do nearly anything.` : null;
  const isModule = first === "-m" && second !== undefined;
  if (interpreter.test(name) && /^[-+]/.test(first) && !isModule) {
    return `\`${join(prefix)}\` runs any code that it is given.`;
  }
  const code = prefix.slice(1).find((word) => codeOptions.get(name)?.test(word));
  if (code !== undefined) return `\`${name} ${code}\` runs any code that this option names.`;
  const isCut = prefix.length < (namingWords.get(`${name} ${first}`) ?? namingWords.get(name) ?? 0);
  return isCut ? `\`${join(prefix)}\` runs any script or tool.` : null;
}
