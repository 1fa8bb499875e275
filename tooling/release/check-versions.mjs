import { globSync } from "node:fs";
import { listPublished } from "./pack.mjs";
import { run } from "./run.ts";

/**
 * Applies the changesets in a copy of the repository's last commit and publishes it to nobody (`--dry-run`). Gives the one
 * version that all packages have then; throws where they differ.
 */
export async function checkVersions(root, copy) {
  await run("git", ["worktree", "add", "--detach", copy, "HEAD"], { cwd: root });
  try {
    await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: copy });
    await run("pnpm", ["exec", "changeset", "version"], { cwd: copy });
    const versions = new Set(listPublished(copy).map(({ manifest }) => manifest.version));
    if (versions.size !== 1) throw new Error(`The packages have several versions: ${[...versions].join(", ")}`);
    const left = globSync(".changeset/*.md", { cwd: copy }).filter((file) => !file.endsWith("README.md"));
    if (left.length > 0) throw new Error(`Changesets were not applied: ${left.join(", ")}`);
    await run("pnpm", ["install", "--lockfile-only", "--prefer-offline"], { cwd: copy });
    await run("pnpm", ["exec", "tsc", "-b"], { cwd: copy }); // what each library's `prepack` bundles
    const { stdout, stderr } = await run("pnpm", ["publish", "--recursive", "--dry-run", "--no-git-checks"], {
      cwd: copy,
    });
    const count = listPublished(copy).filter(({ manifest }) => (stdout + stderr).includes(manifest.name)).length;
    const [version] = versions;
    return { version, published: count };
  } finally {
    await run("git", ["worktree", "remove", "--force", copy], { cwd: root });
  }
}
