import { randomUUID } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ProgramError } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";

/** Where a page is to be written. */
export interface PageFile {
  /** As it was named. */
  readonly name: string;
  /** What it is relative to; absolute. */
  readonly cwd: string;
}

/**
 * Writes a file for the user's eyes only (mode 0600), whole or not at all. A file that is there is replaced; anything else
 * that has its name (a link, a folder, a device) is left alone: throws `ProgramError`. Returns its path.
 */
export async function writePage(text: string, { name, cwd }: PageFile): Promise<string> {
  const path = resolve(cwd, name);
  await refuseWhatIsNoFile(path);
  const draft = join(dirname(path), `.unroll-${randomUUID()}.tmp`);
  try {
    await writeWhole(draft, text);
    await rename(draft, path); // replaces a link that came there meanwhile, and never follows it
    return path;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (systemErrorCode(error) === null) throw error;
    const isMissing = systemErrorCode(error) === "ENOENT";
    const reason = isMissing ? "its folder does not exist" : describeSystemError(error);
    const message = `${path} cannot be written: ${reason}.`;
    throw new ProgramError(isMissing ? "input" : "output", message, { cause: error });
  }
}

async function refuseWhatIsNoFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.isFile()) return;
  const what = found.isSymbolicLink() ? "a link" : found.isDirectory() ? "a folder" : "no ordinary file";
  throw new ProgramError("input", `${path} is ${what}: it is left alone. Name a new file, or an ordinary one.`);
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}
