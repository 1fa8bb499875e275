import type { ShellWord } from "../../command/shell-word.ts";
import { type ReadGrant, unconditional } from "../read-grant.ts";
import { isPrintingSedScript } from "./is-printing-sed-script.ts";

const flag = /^(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|zero-terminated))$/;

/** GNU sed takes an option behind the script, unless this is set. */
const noLateOptions: ReadGrant = { environment: { POSIXLY_CORRECT: "1" }, standsAlone: true, staysHere: false };

/**
 * `sed -n 10,20p file`, `sed 's/a/b/' file`: scripts that print, without `-i` and `-f`. If a file name is known only when the
 * command runs, it may look like an option (`-i`). Then the script must be the first operand, and sed must stop reading options
 * there.
 */
export function recogniseSedRead(words: readonly ShellWord[]): ReadGrant | null {
  const scripts: string[] = [];
  let index = 1;
  for (let word = words[index]; word?.kind === "static" && /^-./.test(word.text); word = words[index]) {
    index += 1;
    if (flag.test(word.text)) continue;
    const expression = readExpression(word.text, words[index]);
    if (expression === null) return null;
    scripts.push(expression.script);
    index += expression.width - 1;
  }
  const hasOwnScript = scripts.length === 0;
  const operands = words.slice(index);
  if (hasOwnScript) {
    const [first] = operands;
    if (first?.kind !== "static") return null;
    scripts.push(first.text);
  }
  if (!scripts.every(isPrintingSedScript)) return null;
  const files = hasOwnScript ? operands.slice(1) : operands;
  if (files.some((file) => file.kind === "static" && /^-./.test(file.text))) return null;
  if (files.every((file) => file.kind !== "dynamic")) return unconditional;
  return hasOwnScript ? noLateOptions : null;
}

/** `-e script`, `-ne script`, `--expression=script`; null for any other option. */
function readExpression(text: string, next: ShellWord | undefined): { script: string; width: 1 | 2 } | null {
  const inline = /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(text)?.[1];
  if (inline !== undefined) return { script: inline, width: 1 };
  const isOpen = /^(?:-[nErsuz]*e|--expression)$/.test(text);
  return isOpen && next?.kind === "static" ? { script: next.text, width: 2 } : null;
}
