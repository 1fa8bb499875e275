import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openRepository, type Repository } from "../structure/repository.ts";

/** A repository of these files, gone at the end of the `using` block. */
export function plantRepository(files: Readonly<Record<string, string>>): Repository & Disposable {
  const root = mkdtempSync(join(tmpdir(), "unroll-planted-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { ...openRepository(root), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}
