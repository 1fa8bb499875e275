import { type PromptFiles, renderInitialPrompt } from "@unroll/prompt";
import { expect, test } from "vitest";
import { testContext } from "./test-context.ts";

/** Where an AGENTS.md was looked for: nothing is there but the base instructions. */
async function findProbes(cwd: string, projectRoot: string | null): Promise<readonly string[]> {
  const probes: string[] = [];
  const files: PromptFiles = {
    async read(path) {
      if (path.endsWith("/AGENTS.md") && !path.startsWith(testContext.codexHome)) probes.push(path);
      if (path !== "/instructions/default.md") return { type: "missing" };
      return { type: "read", bytes: new TextEncoder().encode("Base."), size: 5 };
    },
    list: async () => ({ type: "missing" }),
  };
  await renderInitialPrompt({ ...testContext, cwd, projectRoot }, files);
  return probes;
}

test.each([
  ["/repo/web/cart", "/repo", ["/repo/AGENTS.md", "/repo/web/AGENTS.md", "/repo/web/cart/AGENTS.md"]],
  ["/repo/web/", "/repo", ["/repo/AGENTS.md", "/repo/web/AGENTS.md"]],
  ["/repo", "/repo", ["/repo/AGENTS.md"]],
  ["/repo", "/", ["/AGENTS.md", "/repo/AGENTS.md"]],
  ["/", "/", ["/AGENTS.md"]],
  ["/repo/web", null, ["/repo/web/AGENTS.md"]],
  ["/repo/web", "/elsewhere", ["/repo/web/AGENTS.md"]],
  ["/a\\b", "/", ["/AGENTS.md", "/a\\b/AGENTS.md"]],
  ["C:\\work\\shop", "C:\\work", ["C:\\work/AGENTS.md", "C:\\work\\shop/AGENTS.md"]],
  ["C:\\work", "C:\\", ["C:/AGENTS.md", "C:\\work/AGENTS.md"]],
])("for %s in the project %s AGENTS.md is looked for from the root down", async (cwd, root, expected) => {
  expect(await findProbes(cwd, root)).toEqual(expected);
});
