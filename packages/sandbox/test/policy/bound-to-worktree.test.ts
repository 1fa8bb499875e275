import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";
import { boundToWorktree } from "@unroll/sandbox";
import { expect, test } from "vitest";
import { identityOf } from "../../src/files/path-facts.ts";

test("of a policy's folders, those in the worktree stay, and temporary ones that hold neither it nor its repository", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-worktree-test-"));
  const tree = folder.path;
  const identity = identityOf(tree) ?? { device: "0", inode: "0" };
  const root = (path: string, kind: "work" | "temporary") => ({ path, kind, identity });
  const common = {
    hidden: [],
    allowWeaker: false,
    limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
  };
  const policy = (...roots: readonly ReturnType<typeof root>[]): SandboxPolicy => ({
    mode: "workspace-write",
    network: { type: "closed" },
    roots,
    readOnly: [],
    git: "writable",
    ...common,
  });
  const wide = policy(
    root(tree, "work"),
    root("/srv/other", "work"),
    root("/spare", "temporary"),
    root("/srv", "temporary"),
  );
  const place = { tree, repository: "/srv/project" };
  const own = policy(root(tree, "work"), root("/spare", "temporary"));
  expect(boundToWorktree(wide, place, null)).toEqual({ ...own, git: "protected" });
  expect(boundToWorktree(wide, place, policy(root("/srv/project", "work")))).toEqual({
    ...policy(root(tree, "work")),
    git: "protected",
  });
  expect(boundToWorktree(wide, { ...place, tree: join(tree, "gone") }, null)).toMatchObject({
    roots: [{ path: "/spare" }],
  });
  const reading: SandboxPolicy = { mode: "read-only", network: { type: "closed" }, ...common };
  expect(boundToWorktree(reading, place, null)).toBe(reading);
});
