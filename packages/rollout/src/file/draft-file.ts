import { rename, rm, unlink } from "node:fs/promises";
import type { AppendFile, OpenAppendFile } from "./append-file.ts";

/** A new file that nobody sees until it is published; closed before that, it leaves nothing. */
export interface DraftFile extends AppendFile {
  /** Puts it in its place in one step. Where that fails, it may be tried again. */
  publish(): Promise<void>;
}

/** Behind the name of a file that is not whole yet: no list takes it for a thread. */
export const draftMark = ".part";

/**
 * In the folder of `path`, which it gets when it is published. The caller holds the thread's lock, so an existing draft
 * was left by a killed process.
 */
export async function openDraftFile(path: string, openFile: OpenAppendFile): Promise<DraftFile> {
  const draft = `${path}${draftMark}`;
  await unlink(draft).catch(() => {});
  const file = await openFile(draft);
  let isPublished = false;
  return {
    write: (bytes, position) => file.write(bytes, position),
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    async publish() {
      await rename(draft, path);
      isPublished = true;
    },
    async close() {
      try {
        await file.close();
      } finally {
        if (!isPublished) await rm(draft, { force: true });
      }
    },
  };
}
