import {
  commitPlan,
  createMemoryPatchFiles,
  parsePatch,
  PatchFilesError,
  planPatch,
  type MemoryPatchFiles,
  type PatchFiles,
  type PatchFolder,
  type PatchPlan,
} from "@unroll/apply-patch";
import { expect, test } from "vitest";
import { openOptions, wholePatch } from "./apply-text.ts";
import { interceptFiles, interruptFiles } from "./intercept-files.ts";

const before = { "/project/a": "a\n", "/project/b": "b\n", "/project/c": "c\n" };
const after = { "/project/a": "A\n", "/project/d/e/n": "n\n", "/project/d/c": "c\n" };
const patch = wholePatch(
  "*** Update File: a\n@@\n-a\n+A",
  "*** Delete File: b",
  "*** Add File: d/e/n\n+n",
  "*** Update File: c\n*** Move to: d/c",
);
const { signal } = openOptions;
/** More writing calls than a commit of the patch makes. */
const steps = Array.from({ length: 24 }, (_, index) => index + 1);

async function plan(files: PatchFiles, text = patch): Promise<PatchPlan> {
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") throw new Error(parsed.message);
  const result = await planPatch(parsed.patch, files, openOptions);
  if (result.type === "patch.failed") throw new Error(result.message);
  return result;
}

function fail(): never {
  throw new PatchFilesError("no space left on the device", { code: "ENOSPC", retryable: true });
}

/** The visible files of the folder, without hidden leftovers. */
function withoutBackups(tree: MemoryPatchFiles): Record<string, string> {
  return Object.fromEntries(Object.entries(tree.texts()).filter(([path]) => !path.endsWith(".backup")));
}

test("a plan is applied, and leaves no other files behind", async () => {
  const tree = createMemoryPatchFiles(before);
  expect(await commitPlan(await plan(tree), tree, signal)).toEqual({
    type: "patch.applied",
    changes: [
      { kind: "update", path: "a", movedFrom: null },
      { kind: "delete", path: "b", movedFrom: null },
      { kind: "add", path: "d/e/n", movedFrom: null },
      { kind: "update", path: "d/c", movedFrom: "c" },
    ],
    message: "Success. Updated the following files:\nA d/e/n\nM a\nM d/c\nD b",
  });
  expect(tree.texts()).toEqual(after);
});

test("whichever step fails, all is as it was or all is done", async () => {
  const outcomes = await Promise.all(
    steps.map(async (step) => {
      const tree = createMemoryPatchFiles(before);
      const { files, calls } = interruptFiles(tree, step, fail);
      const result = await commitPlan(await plan(files), files, signal);
      const isDone = result.type === "patch.applied";
      expect(isDone ? withoutBackups(tree) : tree.texts()).toEqual(isDone ? after : before);
      expect((await tree.openFolder("/project/d")) !== null).toBe(isDone);
      expect(result.message).toContain(isDone ? "Success." : "No file was changed.\n\n");
      return { isDone, isReached: calls.length >= step };
    }),
  );
  expect(outcomes.filter(({ isDone }) => !isDone).length).toBeGreaterThan(10);
  expect(outcomes.at(-1)).toEqual({ isDone: true, isReached: false });
});

test("a crash at any step leaves every file whole: as it was, as the patch makes it, or gone where it is deleted", async () => {
  const states: Record<string, readonly (string | undefined)[]> = {
    "/project/a": ["a\n", "A\n"],
    "/project/b": ["b\n", undefined],
    "/project/c": ["c\n", undefined],
    "/project/d/e/n": [undefined, "n\n"],
    "/project/d/c": [undefined, "c\n"],
  };
  for (const step of steps) {
    const tree = createMemoryPatchFiles(before);
    let crashed = tree.texts();
    const { files } = interruptFiles(tree, step, () => {
      crashed = tree.texts();
      fail();
    });
    await commitPlan(await plan(files), files, signal);
    for (const [path, allowed] of Object.entries(states)) expect(allowed).toContain(crashed[path]);
    expect(crashed["/project/d/c"] ?? crashed["/project/c"]).toBe("c\n");
  }
});

async function openFolder(tree: MemoryPatchFiles, path: string): Promise<PatchFolder> {
  const folder = await tree.openFolder(path);
  if (folder === null) throw new Error(`${path} is no folder`);
  return folder;
}

async function writeFile(folder: PatchFolder, name: string, text: string): Promise<void> {
  await folder.rename(await folder.writeStaged(new TextEncoder().encode(text), null), name);
}

test("a file, or a folder on the way to it, that changed since the plan was made fails it", async () => {
  const changes: readonly ((project: PatchFolder) => Promise<void>)[] = [
    (project) => writeFile(project, "a", ""),
    (project) => project.remove("b"),
    (project) => project.rename("c", "moved"),
  ];
  for (const change of changes) {
    const tree = createMemoryPatchFiles(before);
    const planned = await plan(tree);
    await change(await openFolder(tree, "/project"));
    const changed = tree.texts();
    expect(await commitPlan(planned, tree, signal)).toMatchObject({
      problems: [{ type: "file.changed", message: expect.stringContaining("has changed since") }],
    });
    expect(tree.texts()).toEqual(changed);
  }
});

const racePatch = wholePatch("*** Update File: d/a\n@@\n-a\n+A", "*** Delete File: d/b", "*** Add File: d/n\n+n");
const raceTree = { a: "a\n", b: "b\n" };

/** Applies `racePatch`, and `act` before the n-th call on the port, counted from the start or from the commit on. */
async function raceAt(at: number, from: "plan" | "commit", act: (tree: MemoryPatchFiles) => Promise<void>) {
  const tree = createMemoryPatchFiles(below("/project/d", raceTree));
  let count = 0;
  const files = interceptFiles(tree, async (_name, call) => {
    count++;
    if (count === at) await act(tree);
    return call();
  });
  const planned = await plan(from === "plan" ? files : tree, racePatch).catch(() => null);
  const type = planned && (await commitPlan(planned, files, signal)).type;
  return { isApplied: type === "patch.applied", texts: tree.texts(), isReached: count >= at };
}

function below(folder: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]));
}

test("when a folder is moved away and another put in its place, the patch is in one of them as a whole, or nowhere", async () => {
  const patched = { a: "A\n", n: "n\n" };
  const seen = { applied: 0, failed: 0 };
  for (let at = 1; ; at++) {
    const { isApplied, isReached, texts } = await raceAt(at, "plan", async (tree) => {
      const project = await openFolder(tree, "/project");
      await project.rename("d", "moved");
      const other = await project.makeFolder("d");
      for (const [name, text] of Object.entries(raceTree)) await writeFile(other, name, text);
    });
    if (!isReached) break;
    seen[isApplied ? "applied" : "failed"]++;
    const [here, there] = ["/project/d", "/project/moved"];
    const ends = isApplied
      ? [
          { ...below(here, patched), ...below(there, raceTree) },
          { ...below(here, raceTree), ...below(there, patched) },
        ]
      : [{ ...below(here, raceTree), ...below(there, raceTree) }];
    expect(ends).toContainEqual(texts);
  }
  expect(seen).toEqual({
    applied: expect.toSatisfy((count) => count > 2),
    failed: expect.toSatisfy((count) => count > 5),
  });
});

test.for(["b", "n"])("if others replace %s while the patch is written, their file stays", async (name) => {
  const seen = { applied: 0, failed: 0 };
  for (let at = 1; ; at++) {
    const { isApplied, isReached, texts } = await raceAt(at, "commit", async (tree) => {
      await writeFile(await openFolder(tree, "/project/d"), name, "theirs\n");
    });
    if (!isReached) break;
    seen[isApplied ? "applied" : "failed"]++;
    const expected = isApplied ? { a: "A\n", n: "n\n" } : raceTree;
    expect(texts).toEqual(below("/project/d", { ...expected, [name]: "theirs\n" }));
  }
  expect(seen).toEqual({
    applied: expect.toSatisfy((count) => count > 0),
    failed: expect.toSatisfy((count) => count > 5),
  });
});

test("a file that cannot be put back is named, with where its text is", async () => {
  const tree = createMemoryPatchFiles(before);
  let isFull = false;
  const files = interceptFiles(tree, (name, call, [path]) => {
    isFull ||= name === "rename" && path === "/project/b";
    return isFull && (name === "rename" || name === "remove") ? fail() : call();
  });
  const result = await commitPlan(await plan(files), files, signal);
  expect(result).toMatchObject({
    type: "patch.failed",
    message: expect.stringContaining("not every file could be put back"),
    problems: [
      { type: "write.failed", path: "b" },
      { type: "rollback.failed", path: "d/c", message: expect.stringContaining("It is the patch's new file.") },
      { type: "rollback.failed", path: "d/e/n" },
      { type: "rollback.failed", path: "a", message: expect.stringContaining("is in /project/.patch-0.backup.") },
    ],
  });
  expect(tree.texts()["/project/.patch-0.backup"]).toBe("a\n");
});

test("an abort before the first rename takes everything back; later it comes too late", async () => {
  const outcomes = await Promise.all(
    steps.map(async (step) => {
      const tree = createMemoryPatchFiles(before);
      const abort = new AbortController();
      const { files } = interruptFiles(tree, step, (call) => {
        abort.abort(new Error("stop"));
        return call();
      });
      const commit = commitPlan(await plan(files), files, abort.signal);
      const outcome = await commit.then(
        (result) => result.type,
        (error: Error) => error.message,
      );
      expect(tree.texts()).toEqual(outcome === "stop" ? before : after);
      return outcome;
    }),
  );
  expect(new Set(outcomes)).toEqual(new Set(["stop", "patch.applied"]));
});

test("a bug of the port passes through after everything was rolled back", async () => {
  const tree = createMemoryPatchFiles(before);
  const { files } = interruptFiles(tree, 5, () => {
    throw new TypeError("oops");
  });
  const planned = await plan(files);
  await expect(commitPlan(planned, files, signal)).rejects.toThrow("oops");
  expect(tree.texts()).toEqual(before);
});
