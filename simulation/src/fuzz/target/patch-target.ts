import { commitPlan, createMemoryPatchFiles, parsePatch, type PatchFailure, planPatch } from "@unroll/apply-patch";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const files = {
  "/project/a.txt": "one\ntwo\nthree\n",
  "/project/src/b.ts": "if (x) {\r\n  return;\r\n}\r\n",
  "/outside.txt": "no\n",
};
type Texts = Readonly<Record<string, string>>;

const signal = new AbortController().signal;
const options = {
  cwd: "/project",
  isWritable: (path: string) => path.startsWith("/project/"),
  isReadable: () => true,
  signal,
};

/**
 * A patch is applied as a whole or refused as a whole, with a reason; changes outside are listed before, for an
 * approval.
 */
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
      const unnamed = listTouchedOutside(before, disk.texts()).filter(
        (path) => !plan.outsideWritableRoots.includes(path),
      );
      demand(unnamed.length === 0, `touched outside without being named: ${unnamed.join(", ")}`);
      if (applied.type === "patch.applied") return;
      demand(isSame(disk.texts(), before), "a patch that failed left files changed");
      checkFailure(applied);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function listTouchedOutside(before: Texts, after: Texts): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => !options.isWritable(path) && before[path] !== after[path]);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function checkFailure(failure: PatchFailure): void {
  demand(failure.problems.length > 0 && failure.message !== "", "a failure that says nothing");
}
