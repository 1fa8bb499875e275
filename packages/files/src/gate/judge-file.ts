import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { isInside } from "../look/is-inside.ts";
import type { OpenedFile } from "./open-file.ts";

/** Which files are not read on behalf of a prompt. Paths are absolute. */
export interface FileGate {
  /** Whether a file may be read at all, by its real path. */
  readonly canRead: (realPath: string) => boolean;
  /** Files and folders that `canRead` refuses, to compare with them what has several names. Some may not exist. */
  readonly hidden: readonly string[];
  /** `$CODEX_HOME`, of which only AGENTS.md, skills, roles and prompts are read; null: all of it. */
  readonly codexHome: string | null;
  /** A path that lies in this folder must not lead out of it; null: paths may lead anywhere. */
  readonly project: string | null;
}

/** In `$CODEX_HOME`, what is written for the model. All else there may hold credentials or other threads. */
const harnessFilesForPrompts: readonly string[] = ["AGENTS.md", "AGENTS.override.md", "skills", "agents", "prompts"];

/** How many files of a hidden folder are compared with a file that has several names. */
const mostCompared = 4096;

/**
 * Why a file must not be read for a prompt, as the rest of a sentence that begins with its path; null: it may be. `path`: by
 * which it was opened.
 */
export async function judgeFile(path: string, opened: OpenedFile, gate: FileGate): Promise<string | null> {
  const { realPath } = opened;
  if (!gate.canRead(realPath)) return "leads to a hidden file";
  const project = gate.project === null ? null : await resolveIfThere(gate.project);
  const codexHome = gate.codexHome === null ? null : await resolveIfThere(gate.codexHome);
  const isInProject = project !== null && isInside(realPath, project);
  const isInHome = codexHome !== null && isInsideAnyCase(realPath, codexHome);
  // a work tree of ours lies in our folder
  const isProjectInHome = isInProject && codexHome !== null && isInside(project, codexHome);
  if (isInHome && !isProjectInHome && !isForPrompts(realPath, codexHome))
    return "leads to a file of unroll's own folder";
  if (gate.project !== null && isInside(path, gate.project) && !isInProject && !isInHome)
    return `leads out of the project, to ${realPath}`;
  return opened.links > 1 ? findOtherName(opened, [...gate.hidden, ...(await listOwn(codexHome))]) : null;
}

async function resolveIfThere(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Some file systems do not tell `AUTH.json` from `auth.json`. */
function isInsideAnyCase(path: string, folder: string): boolean {
  return isInside(path.toLowerCase(), folder.toLowerCase());
}

function isForPrompts(realPath: string, codexHome: string): boolean {
  const [first = ""] = realPath.slice(codexHome.length + 1).split(sep);
  return harnessFilesForPrompts.includes(first);
}

/** The files at the top of `$CODEX_HOME` that are not for prompts: logins and settings. */
async function listOwn(codexHome: string | null): Promise<readonly string[]> {
  if (codexHome === null) return [];
  const entries = await listEntries(codexHome);
  return (entries ?? [])
    .filter((entry) => entry.isFile() && !harnessFilesForPrompts.includes(entry.name))
    .map(({ name }) => join(codexHome, name));
}

async function findOtherName(opened: OpenedFile, places: readonly string[]): Promise<string | null> {
  let count = 0;
  const pending = [...places];
  for (let place = pending.shift(); place !== undefined; place = pending.shift()) {
    const entries = await listEntries(place);
    if (entries === null && (await isSameFile(place, opened)))
      return `is another name of a hidden file (it has ${opened.links} names)`;
    pending.push(...(entries ?? []).map(({ name }) => join(place, name)));
    count += 1;
    if (count > mostCompared) return `may be another name of a hidden file (it has ${opened.links} names)`;
  }
  return null;
}

/** Null: it is not a folder that can be listed. */
function listEntries(path: string): Promise<readonly Dirent[] | null> {
  return readdir(path, { withFileTypes: true }).catch(() => null);
}

async function isSameFile(path: string, { device, inode }: OpenedFile): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats !== null && `${stats.dev}` === device && `${stats.ino}` === inode;
}
