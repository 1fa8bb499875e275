import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { lockFile } from "./lock-file.ts";

/**
 * Writes what `change` gives, whole or not at all, while no other writer of ours is at the file; null writes nothing. A new
 * file can be read by its owner only. Returns whether it wrote. Throws `ConfigError` (`file_locked`), and what `change` throws.
 */
export async function changeFile(path: string, change: () => Promise<string | null>): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // two names of one file are one lock
  using _lock = await lockFile(await realpath(path).catch(() => path));
  const text = await change();
  if (text === null) return false;
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(path, text, existsSync(path) ? {} : { mode: 0o600 });
  return true;
}
