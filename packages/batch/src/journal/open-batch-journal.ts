import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { FileLockError, makeLockFile, tryToLock } from "@unroll/files";
import { BatchError } from "../batch-error.ts";
import type { BatchTask } from "../task/batch-task.ts";
import type { BatchJournal } from "./batch-journal.ts";
import { parseJournal } from "./parse-journal.ts";

/**
 * Opens the journal of a batch in a file, or creates it. One process has it at a time. A line that
 * a killed process did not finish is removed. Throws `BatchError` `batch_journal` if another
 * process has it or the file is something else, and system errors.
 */
export async function openBatchJournal(path: string): Promise<BatchJournal & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const lockPath = `${path}.lock`;
  makeLockFile(lockPath);
  const lock = await tryToLock(lockPath).catch((error: unknown) => {
    if (!(error instanceof FileLockError)) throw error;
    throw new BatchError("batch_journal", `${path} cannot be locked: ${error.message}. Name results on another disk.`);
  });
  if (lock === null)
    throw new BatchError("batch_journal", `${path}: another process is running this batch. Wait for it, or stop it.`);
  opening.use(lock);
  const file = opening.use(await open(path, "a+", 0o600));
  const bytes = await file.readFile();
  const end = bytes.lastIndexOf("\n") + 1;
  const records = parseJournal(bytes.toString("utf8", 0, end));
  if (records === null)
    throw new BatchError("batch_journal", `${path} is not the journal of a batch. Move it, or name other results.`);
  if (end < bytes.length) await file.truncate(end);
  const held = opening.move();
  const write = (entry: object): Promise<void> => file.appendFile(`${JSON.stringify(entry)}\n`);
  return {
    records,
    digest,
    began: (task, { threadId, turns }) =>
      write({ type: "task.began", id: task.id, digest: digest(task), thread_id: threadId, turns }),
    ended: (task, result) => write({ type: "task.ended", id: task.id, digest: digest(task), result }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function digest(task: BatchTask): string {
  return createHash("sha256").update(JSON.stringify(task)).digest("base64url").slice(0, 22);
}
