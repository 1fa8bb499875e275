import { mkdirSync, mkdtempDisposableSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFolderTracker } from "../../src/guard/folder-tracker.ts";

it("a repository that is moved to where a search has been already is not missed by the next, which says that there is need of it", async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-tracker-"));
  const root = join(temporary.path, "work");
  // More than are looked at in one go; then others have their turn.
  for (let index = 0; index < 2_100; index += 1) mkdirSync(join(root, `${index % 10}/${index}`), { recursive: true });
  mkdirSync(join(root, "9/2099/sub/.git"), { recursive: true });
  const tracker = createFolderTracker([root], { clockFile: join(temporary.path, "clock"), openWatch: null });
  const searching = tracker.search();
  renameSync(join(root, "9/2099/sub"), join(root, "0/sub"));
  expect((await searching).candidates).toEqual([]);
  expect(await tracker.search()).toEqual({ candidates: [join(root, "0/sub")], count: 2_113, isCalm: false });
  expect(await tracker.search()).toMatchObject({ isCalm: true });
  tracker.close();
});
