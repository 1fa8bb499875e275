import { link, open, rename, utimes } from "node:fs/promises";
import { openPlainFile } from "@unroll/files";
import type { RepairedThread } from "@unroll/protocol";
import { systemErrorCode } from "@unroll/text";
import { openDraftBeside } from "../file/draft-beside.ts";
import { type MendedLines, mendLines, requireLines, type ThreadToMend } from "./mend-lines.ts";

export interface FileToMend extends ThreadToMend {
  readonly path: string;
}

/** Part of the name that a file gets when a repair replaces it. */
export const asideMark = ".before-repair-";

/**
 * Rewrites a thread's file as `mendLines` does. The new file replaces the old one in one step, and the old one stays
 * beside it.
 */
export async function mendFile(file: FileToMend): Promise<Pick<RepairedThread, "aside" | "repairs">> {
  await using draft = await openDraftBeside(file.path);
  const mended = await writeMended(file, draft.path);
  requireLines(mended, { place: file.path, threadId: file.threadId });
  const { repairs } = mended;
  if (repairs.length === 0) return { aside: null, repairs };
  return { aside: await putInPlace(file, draft.path), repairs };
}

async function writeMended(file: FileToMend, draft: string): Promise<MendedLines> {
  await using before = await openPlainFile(file.path, "read");
  await using after = await open(draft, "wx", 0o600);
  const mended = await mendLines(before, file, (bytes) => after.appendFile(bytes));
  await after.datasync();
  const { atime, mtime } = await before.stat();
  await utimes(draft, atime, mtime); // a repair does not count as a use
  return mended;
}

async function putInPlace({ path, clock }: FileToMend, draft: string): Promise<string> {
  const aside = `${path}${asideMark}${new Date(clock.now()).toISOString().replaceAll(":", "-")}`;
  try {
    await link(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") throw error;
    await rename(path, aside); // a file system without links
  }
  await rename(draft, path);
  return aside;
}
