// The patch format on files in memory: read, planned against what is there, then written whole or not at all.
import { commitPlan, createMemoryPatchFiles, parsePatch, planPatch } from "@unroll/apply-patch";

const files = createMemoryPatchFiles({ "/project/hello.py": 'def hello():\n    print("hi")\n' });
const { signal } = new AbortController();

async function apply(patch: string): Promise<string> {
  const parsed = parsePatch(patch);
  if (parsed.type !== "patch.parsed") return `not a patch: ${parsed.type}`;
  const place = { cwd: "/project", isWritable: () => true, isReadable: () => true, signal };
  const plan = await planPatch(parsed.patch, files, place);
  return plan.type === "patch.planned" ? (await commitPlan(plan, files, signal)).message : plan.message;
}

const update = `*** Begin Patch
*** Update File: hello.py
@@ def hello():
-    print("hi")
+    print("hello")
*** Add File: README.md
+Says hello.
*** End Patch`;
console.log(await apply(update));
console.log(await apply(update)); // says where it does not fit any more
console.log(files.texts()["/project/hello.py"]);
