import { type PromptFiles, renderInitialPrompt } from "@unroll/prompt";
import { expect, test } from "vitest";
import { testContext } from "./test-context.ts";

/** Where `.git` was looked for: nothing is there but the base instructions. */
async function findProbes(cwd: string): Promise<readonly string[]> {
  const probes: string[] = [];
  const files: PromptFiles = {
    async read(path) {
      if (path.endsWith(".git")) probes.push(path);
      if (path !== "/instructions/default.md") return { type: "missing" };
      return { type: "read", bytes: new TextEncoder().encode("Base."), size: 5 };
    },
    list: async () => ({ type: "missing" }),
  };
  await renderInitialPrompt({ ...testContext, cwd }, files);
  return probes;
}

test.each([
  ["/", ["/.git"]],
  ["/repo", ["/repo/.git", "/.git"]],
  ["/repo/web/", ["/repo/web/.git", "/repo/.git", "/.git"]],
  ["/a\\b", ["/a\\b/.git", "/.git"]],
  ["C:\\work\\shop", ["C:\\work\\shop/.git", "C:\\work/.git", "C:/.git"]],
  ["C:\\", ["C:\\.git"]],
])("the git root of %s is looked for in every folder above it", async (cwd, expected) => {
  expect(await findProbes(cwd)).toEqual(expected);
});
