import { resolvePath } from "../command/resolve-path.ts";
import { toStaticWords } from "../command/shell-word.ts";
import { toSimpleCommand } from "../command/simple-command.ts";
import { recogniseRead } from "../safe/recognise-read.ts";
import { unwrapCommand } from "../wrapper/unwrap-command.ts";
import type { CommandAction } from "./command-action.ts";
import { type PlainPart, readPlainParts } from "./read-plain-parts.ts";
import { judgeViewer } from "./judge-viewer.ts";
import { type PartAction, recogniseAction } from "./recognise-action.ts";

/**
 * The files that a script reads, lists or searches, so that a front end can say so in few words. It does not judge:
 * `judgeCommand` decides. One `unknown` action stands for the whole script, unless each of its parts is known to
 * only read. Filters and printing (`| head`, `| wc -l`, `echo`) and `cd` are left out. `cwd` is absolute.
 */
export function listCommandActions(script: string, cwd: string): readonly CommandAction[] {
  const unknown: readonly CommandAction[] = [{ type: "unknown", command: script }];
  const parts = readPlainParts(script);
  if (parts === null || !parts.every(isRead)) return unknown;
  const actions: CommandAction[] = [];
  let folder = cwd;
  for (const part of parts) {
    const next = isMove(part) ? enter(folder, part.words) : folder;
    if (next === null) return unknown;
    folder = next;
    const action = recogniseAction(part.words);
    if (action !== null) actions.push(toAction(action, part.text, folder));
    else if (!isMove(part) && !filters.has(part.words[0] ?? "")) return unknown;
  }
  const [only] = actions;
  if (only === undefined) return parts.every(isMove) ? [] : unknown;
  const isCut = parts.some(({ isPiped, words }) => isPiped && words[0] === "sed" && words[1] === "-n");
  return only.type === "read" && actions.length === 1 && isCut ? [{ ...only, command: script.trim() }] : actions;
}

function isMove({ words: [program] }: PlainPart): boolean {
  return program === "cd";
}

/** Programs that pass text on, or print what they are given. */
const filters: ReadonlySet<string> = new Set(
  "awk column cut echo head nl printf sed sort tail tr true uniq wc xargs".split(" "),
);

/** The folder behind a `cd`; null where only the run tells. */
function enter(folder: string, [, ...given]: readonly string[]): string | null {
  const operands = given.filter((word) => !/^-[LPe-]$/.test(word));
  const [target = ""] = operands;
  return operands.length !== 1 || target === "" || target === "-" ? null : join(folder, target);
}

function join(folder: string, path: string): string {
  return `/${resolvePath(path.startsWith("/") ? path : `${folder}/${path}`).join("/")}`;
}

function isRead({ words }: PlainPart): boolean {
  const [program = ""] = words;
  if (program.includes("/") || program === "pushd" || program === "popd") return false;
  if (program !== "xargs") return isViewer(words) ?? isKnownRead(words);
  const inner = unwrapCommand(toSimpleCommand(toStaticWords(words)), "bash")?.commands ?? [];
  // what it reads may turn out to be an option
  return (
    words.length === 1 ||
    (inner.length > 0 && inner.every(({ words: run }) => recogniseRead(run, ownSettings) !== null))
  );
}

const ownSettings = { runsPrograms: false, hasSubmodules: false } as const;

function isViewer(words: readonly string[]): boolean | null {
  const [program = "", ...given] = words;
  return searchesDocuments.has(program) ? isKnownRead(["rg", ...given]) : judgeViewer(program, given);
}

/** They take the options of ripgrep, and hand them on. */
const searchesDocuments: ReadonlySet<string> = new Set(["rga", "ripgrep-all"]);

function isKnownRead(words: readonly string[]): boolean {
  return recogniseRead(toStaticWords(words), ownSettings) !== null;
}

function toAction(action: PartAction, command: string, folder: string): CommandAction {
  switch (action.type) {
    case "read":
      return { type: "read", command, name: shorten(action.file), path: join(folder, action.file) };
    case "list_files":
      return { type: "list_files", command, path: action.path === null ? null : shorten(action.path) };
    case "search":
      return { type: "search", command, query: action.query, path: action.path === null ? null : shorten(action.path) };
  }
}

/** Folders that name nothing by themselves. */
const generic: ReadonlySet<string> = new Set(["build", "dist", "node_modules", "src"]);

/** The last part of a path that says something; of `packages/foo/src` it is `foo`. */
function shorten(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed.split("/").findLast((part) => part !== "" && !generic.has(part)) ?? trimmed;
}
