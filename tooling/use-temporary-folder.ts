import { appendFileSync, chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { afterAll, expect, inject } from "vitest";

// For `setupFiles`: runs before each test file. A worker runs one file at a time, so it knows whose a name is.
const folder = join(inject("temporaryFolder"), env["VITEST_POOL_ID"] ?? "0");
mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o1777); // some tests run programs as another user
env["TMPDIR"] = folder;

// The first hook, so it runs after those of the file. `temporary-folder.ts` reads the lines.
afterAll(() => {
  const seen = [expect.getState().testPath ?? "", ...readdirSync(folder)];
  appendFileSync(`${folder}.seen`, `${seen.join("\t")}\n`);
});
