import { checkShape } from "@unroll/text";

/** A patch that a model sent as a shell command. */
export interface ShellPatch {
  /** For `parsePatch`. */
  readonly patch: string;
  /** Where a `cd` before it goes, as written; absent when there is none. */
  readonly cwd?: string;
}

const heredocCall =
  /^\s*(?:cd[ \t]+(?:'(?<quoted>[^'\n]+)'|"(?<expanded>[^"$`\\\n]+)"|(?<bare>[\w./~@%+=:,-]+))[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[ \t]*(?<quote>['"]?)(?<delimiter>\w+)\k<quote>[ \t]*\r?\n/;

/**
 * Recognises a script that is nothing but `apply_patch <<'EOF'` … `EOF` (also `applypatch`; any delimiter, quoted or
 * not; its text is taken as it stands), with at most a `cd <folder> &&` before it. Null for any other script: it is the
 * shell's.
 */
export function findPatchInShell(script: string): ShellPatch | null {
  checkShape("findPatchInShell", { script }, { script: "text" });
  const call = heredocCall.exec(script);
  if (call === null) return null;
  const { quoted, expanded, bare, delimiter } = call.groups ?? {};
  const cwd = quoted ?? expanded ?? bare;
  if (cwd?.startsWith("-") === true || bare?.startsWith("~") === true) return null; // only the shell knows where that is
  const lines = script.slice(call[0].length).split(/\r?\n/);
  const end = lines.findIndex((line) => line === delimiter);
  if (end === -1 || lines.slice(end + 1).some((line) => line.trim() !== "")) return null;
  const patch = lines.slice(0, end).join("\n");
  return cwd === undefined ? { patch } : { patch, cwd };
}

const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh"]);

/** The same for an argument list: `["apply_patch", "<patch>"]`, or a shell with `-c` or `-lc` and a script. */
export function findPatchInArguments(argv: readonly string[]): ShellPatch | null {
  checkShape("findPatchInArguments", { argv }, { argv: "a list" });
  const [program, second, third] = argv;
  const name = program?.split("/").at(-1) ?? "";
  if (argv.length === 2 && (name === "apply_patch" || name === "applypatch")) return { patch: second ?? "" };
  const runsScript = argv.length === 3 && shells.has(name) && (second === "-c" || second === "-lc");
  return runsScript ? findPatchInShell(third ?? "") : null;
}
