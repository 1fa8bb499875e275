import type { HereDoc, Redirection } from "unbash";
import { type ShellWord, toStaticWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { toShellWord } from "./to-shell-word.ts";

const unknownInput: ShellWord = { kind: "dynamic", text: "", head: "", withoutExpansions: "" };

/** The files that a command's redirections open, and the input that they spell out. */
export function readRedirects(redirections: readonly Redirection[]): Pick<SimpleCommand, "redirects" | "input"> {
  const redirects = redirections.flatMap((redirection) => {
    if (redirection.type !== "Redirect" || redirection.target === undefined) return [];
    const target = toShellWord(redirection.target);
    const copies = redirection.operator === ">&" || redirection.operator === "<&";
    if (copies && target.kind === "static" && /^(?:\d+-?|-)$/.test(target.text)) return [];
    const reads = redirection.operator === "<" || redirection.operator === "<&";
    return [{ type: reads ? ("read" as const) : ("write" as const), target }];
  });
  return { redirects, input: redirections.reduce<ShellWord | null>(inputAfter, null) };
}

/** The standard input after one more redirection: the last one that binds it holds. */
function inputAfter(input: ShellWord | null, redirection: Redirection): ShellWord | null {
  const { descriptor } = redirection;
  const reads = redirection.type !== "Redirect" || redirection.operator.startsWith("<");
  const bindsInput = descriptor === undefined ? reads : descriptor.type !== "FileDescriptor" || descriptor.value === 0;
  if (!bindsInput) return input;
  if (redirection.type === "HereDoc") return toHereDocWord(redirection);
  if (redirection.type === "Redirect" || redirection.target === undefined) return unknownInput;
  return toShellWord(redirection.target);
}

/** Without a quoted delimiter the body is expanded, and its backslashes are read. */
function toHereDocWord(redirection: HereDoc): ShellWord {
  const { body, delimiter } = redirection;
  const isLiteral = delimiter?.quoted === true || !/[$`\\]/.test(body.text);
  return isLiteral && redirection.operator === "<<" ? toStaticWord(body.text) : unknownInput;
}
