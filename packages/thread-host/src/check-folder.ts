import { stat } from "node:fs/promises";
import { ThreadHostError } from "./thread-host-error.ts";

/** The folder that a program asks to work in, an absolute path. Throws `ThreadHostError` `folder_missing` where there is none. */
export async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (found?.isDirectory() === true) return;
  const what = found === null ? "does not exist" : "is not a folder";
  throw new ThreadHostError("folder_missing", `cwd: the working folder ${cwd} ${what}.`);
}
