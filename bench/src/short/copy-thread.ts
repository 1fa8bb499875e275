import { randomUUIDv7 } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const idPattern = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?=\.jsonl$)/;

/** Makes so many threads of the only one that a program kept below a home, with other ids; all are as old as it was before. */
export async function copyThread(home: string, count: number): Promise<void> {
  const [kept] = globSync("{.codex,.pi/agent}/sessions/**/*.jsonl", { cwd: home });
  const path = join(home, kept ?? "");
  const [id] = idPattern.exec(basename(path)) ?? [];
  if (id === undefined) throw new Error(`No thread was kept below ${home}.`);
  const text = await readFile(path, "utf8");
  const usedAt = Date.now() - 60 * 60 * 1000;
  for (let n = 0; n < count; n++) {
    const own = randomUUIDv7();
    const copy = join(dirname(path), basename(path).replace(id, own));
    await writeFile(copy, text.replaceAll(id, own));
    await utimes(copy, new Date(usedAt - n), new Date(usedAt - n));
  }
}
