import { commitPlan, createMemoryPatchFiles, parsePatch, type PatchFailure, planPatch } from "@unroll/apply-patch";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const files = {
  "/project/a.txt": "one\ntwo\nthree\n",
  "/project/src/b.ts": "if (x) {\r\n  return;\r\n}\r\n",
  "/outside.txt": "no\n",
};
const signal = new AbortController().signal;
const options = {
  cwd: "/project",
  isWritable: (path: string) => path.startsWith("/project/"),
  isReadable: () => true,
  signal,
};

/** A patch is applied as a whole or refused as a whole; nothing outside is touched; why it failed is said. */
export function openPatchTarget(): FuzzTarget {
  return {
    async check(bytes) {
      const text = Buffer.from(bytes).toString("utf8");
      const disk = createMemoryPatchFiles(files);
      const before = disk.texts();
      const parsed = parsePatch(text);
      if (parsed.type === "patch.failed") return checkFailure(parsed);
      const plan = await planPatch(parsed.patch, disk, options);
      demand(isSame(disk.texts(), before), "planning a patch changed files");
      if (plan.type === "patch.failed") return checkFailure(plan);
      const applied = await commitPlan(plan, disk, signal);
      demand(disk.texts()["/outside.txt"] === "no\n", "a file outside was touched");
      if (applied.type === "patch.applied") return;
      demand(isSame(disk.texts(), before), "a patch that failed left files changed");
      checkFailure(applied);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function checkFailure(failure: PatchFailure): void {
  demand(failure.problems.length > 0 && failure.message !== "", "a failure that says nothing");
}
