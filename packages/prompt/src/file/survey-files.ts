import type { SkillContext } from "../prompt-context.ts";
import type { FileSearch } from "../prompt-files.ts";
import type { FileFault } from "./file-fault.ts";
import { type FileKind, findFilesBelow } from "./find-below.ts";
import { joinPath } from "./path.ts";
import { readText, type TextRead } from "./read-text.ts";

/** Where files of a kind lie, and how one is read. */
export interface SurveyedKind<Item> extends FileKind {
  readonly singular: "skill" | "role";
  /** How many files are read. */
  readonly maxFiles: number;
  /** How much of a file is read, in bytes. */
  readonly maxBytes: number;
  readonly parse: (path: string, read: ReadText) => Promise<FileSurveyRead<Item>>;
  /** The folders of the project, in which order they count. */
  readonly ofProject: readonly string[];
  readonly ofUser: readonly string[];
}

export type ReadText = Extract<TextRead, { readonly type: "text" }>;

/** The content of a file. */
export interface FileSurveyRead<Item> {
  /** Null: it is gone, or there is a fault that says why. */
  readonly item: Item | null;
  readonly faults: readonly FileFault[];
}

/** All that was found. */
export interface FileSurvey<Item> {
  /** By name in code-unit order. */
  readonly items: readonly Item[];
  readonly faults: readonly FileFault[];
  /** The files of a project that is not trusted: not read. */
  readonly untrusted: readonly string[];
}

/** A thing with a name, in a file. */
interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Looks at all files of a kind: of the project, then of the user. Of several with one name the first in that order
 * counts. The files of an untrusted project are found but not read.
 */
export async function surveyFiles<Item extends NamedFile>(
  search: FileSearch,
  trust: SkillContext["skillPolicy"]["projectTrust"],
  kind: SurveyedKind<Item>,
): Promise<FileSurvey<Item>> {
  const { plural, singular, maxFiles, ofUser } = kind;
  const ofProject = kind.ofProject.filter((root) => !ofUser.includes(root)); // the user works at home
  const isTrusted = trust === "trusted";
  const paths = await findFilesBelow(search, isTrusted ? [...ofProject, ...ofUser] : ofUser, kind);
  const untrusted = isTrusted ? [] : await findFilesBelow({ ...search, warn: () => {} }, ofProject, kind);
  if (paths.length > maxFiles) search.warn(`Only the first ${maxFiles} of ${paths.length} ${plural} are used.`);

  const items = new Map<string, Item>();
  const faults: FileFault[] = [];
  for (const path of paths.slice(0, maxFiles)) {
    const read = await readFile(search, path, kind);
    faults.push(...read.faults);
    const { item } = read;
    const first = item === null ? undefined : items.get(item.name);
    if (item !== null && first === undefined) items.set(item.name, item);
    if (first !== undefined) faults.push(toDuplicate(path, first, singular));
  }
  const byName = [...items.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { items: byName, faults, untrusted };
}

async function readFile<Item>(
  { files }: FileSearch,
  path: string,
  { maxBytes, parse }: SurveyedKind<Item>,
): Promise<FileSurveyRead<Item>> {
  const read = await readText(files, path, maxBytes);
  const toSkipped = (problem: string): FileSurveyRead<Item> => ({
    item: null,
    faults: [{ path, place: null, problem, isSkipped: true }],
  });
  switch (read.type) {
    case "missing":
      return { item: null, faults: [] };
    case "unreadable":
      return toSkipped(`it cannot be read: ${read.reason}`);
    case "unusable":
      return toSkipped(`it ${read.reason}`);
    case "text":
      return parse(path, read);
  }
}

function toDuplicate(path: string, first: NamedFile, singular: string): FileFault {
  const problem = `a ${singular} named \`${first.name}\` is already there (${first.path}): rename one of them`;
  return { path, place: null, problem, isSkipped: true };
}

/** How to trust the project of files that were not read. */
export function explainTrust(
  untrusted: readonly string[],
  { singular, plural }: Pick<SurveyedKind<unknown>, "singular" | "plural">,
  { projectRoot, cwd, codexHome }: SkillContext,
): string {
  const root = projectRoot ?? cwd;
  const key = `projects.${JSON.stringify(root)}.trust_level`;
  const config = joinPath(codexHome, "config.toml");
  const count = untrusted.length === 1 ? `The ${singular}` : `The ${untrusted.length} ${plural}`;
  const verb = untrusted.length === 1 ? "is" : "are";
  return `${count} of the project ${root} ${verb} not read, because you have not trusted this project yet. Put ${key} = "trusted" at the top of ${config} to use them, or "untrusted" to hide this notice.`;
}
