import type { SimpleCommand } from "../command/simple-command.ts";
import { unconditional } from "../safe/read-grant.ts";
import { toPartVerdict } from "./to-part-verdict.ts";
import type { PartVerdict } from "./verdict.ts";

/** Whether the shell opens a file, or a folder for a pattern, before a command runs. */
export function opensFile(command: SimpleCommand): boolean {
  return (
    listReadFiles(command).length > 0 || command.words.some(({ kind, text }) => kind !== "static" && isPattern(text))
  );
}

/** The files that are opened where no words decide: `$(< file)`, and what surrounds other commands (`{ …; } < file`). */
export function listOpenedFiles(command: SimpleCommand): readonly PartVerdict[] {
  return listReadFiles(command).map((file) => {
    const read = toPartVerdict([], { type: "read.recognised", grant: unconditional });
    return { ...read, text: `< ${file}`, opensFile: true };
  });
}

function listReadFiles({ redirects }: SimpleCommand): readonly string[] {
  return redirects.flatMap(({ type, target }) => (type === "read" && target.text !== "/dev/null" ? [target.text] : []));
}

/** A pattern of files, seen without the expansions that have the same signs (`$?`, `${name%.*}`). */
function isPattern(text: string): boolean {
  return /[*?[]/.test(text.replaceAll(/\$\{[^}]*\}|\$[*?]/g, ""));
}
