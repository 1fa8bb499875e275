import { execFile } from "node:child_process";
import {
  chmod,
  cp,
  link,
  lstat,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  readlink,
  realpath,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import {
  commitPlan,
  parsePatch,
  type PatchApplied,
  type PatchFailure,
  type PatchFiles,
  PatchFilesError,
  type PatchPlan,
  planPatch,
} from "@unroll/apply-patch";
import { expect, test } from "vitest";
import { nodePatchFiles } from "../../src/files/node-patch-files.ts";

const { signal } = new AbortController();

async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-patch-"));
  return { path: folder.path, [Symbol.asyncDispose]: () => folder.remove() };
}

async function planText(cwd: string, text: string): Promise<PatchPlan | PatchFailure> {
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") return parsed;
  const isWritable = (path: string) => path.startsWith(`${cwd}/`);
  return planPatch(parsed.patch, nodePatchFiles, { cwd, isWritable, isReadable: () => true, signal });
}

async function applyText(
  cwd: string,
  text: string,
  files: PatchFiles = nodePatchFiles,
): Promise<PatchApplied | PatchFailure> {
  const plan = await planText(cwd, text);
  return plan.type === "patch.failed" ? plan : commitPlan(plan, files, signal);
}

const patchOf = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true, recursive: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file, "base64")] as const)),
  );
}

const cases = join(import.meta.dirname, "../../../../conformance/apply-patch");

test.for(readdirSync(cases).filter((name) => /^\d/.test(name)))("conformance case %s on disk", async (name) => {
  await using folder = await makeFolder();
  const source = join(cases, name);
  if (existsSync(join(source, "input"))) await cp(join(source, "input"), folder.path, { recursive: true });
  const result = await applyText(folder.path, await readFile(join(source, "patch.txt"), "utf8"));
  const isFailure = existsSync(join(source, "expected-error.txt"));
  const message = await readFile(join(source, isFailure ? "expected-error.txt" : "expected-output.txt"), "utf8");
  expect(`${result.message}\n`).toBe(message.replaceAll("{cwd}", folder.path));
  expect(await readTree(folder.path)).toEqual(await readTree(join(source, isFailure ? "input" : "expected")));
});

test("a changed or moved file keeps its mode, a new one gets the usual", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "script"), "a\n");
  await chmod(join(folder.path, "script"), 0o751);
  await cp(join(folder.path, "script"), join(folder.path, "moved"));
  await writeFile(join(folder.path, "usual"), "");
  const text = patchOf(
    "*** Update File: script\n@@\n-a\n+b",
    "*** Update File: moved\n*** Move to: bin/moved",
    "*** Add File: new\n+n",
  );
  expect((await applyText(folder.path, text)).type).toBe("patch.applied");
  const modeOf = async (name: string) => (await stat(join(folder.path, name))).mode;
  expect(await modeOf("script")).toBe(0o100751);
  expect(await modeOf("bin/moved")).toBe(0o100751);
  expect(await modeOf("new")).toBe(await modeOf("usual"));
});

test("a symbolic link stays one when its file is changed, and alone goes when it is deleted", async () => {
  await using folder = await makeFolder();
  await using other = await makeFolder();
  await writeFile(join(other.path, "real"), "a\n");
  await writeFile(join(folder.path, "kept"), "k\n");
  await symlink(join(other.path, "real"), join(folder.path, "link"));
  await symlink("kept", join(folder.path, "gone"));
  const text = patchOf("*** Update File: link\n@@\n-a\n+b", "*** Delete File: gone");
  const plan = await planText(folder.path, text);
  expect(plan.type === "patch.planned" && plan.outsideWritableRoots).toEqual([join(other.path, "real")]);
  expect((await applyText(folder.path, text)).type).toBe("patch.applied");
  expect(await readFile(join(other.path, "real"), "utf8")).toBe("b\n");
  expect(await readlink(join(folder.path, "link"))).toBe(join(other.path, "real"));
  expect((await readdir(folder.path)).toSorted()).toEqual(["kept", "link"]);
  expect(await readdir(other.path)).toEqual(["real"]);
});

test("pipes, broken links and loops are refused without being opened", async () => {
  await using folder = await makeFolder();
  await promisify(execFile)("mkfifo", [join(folder.path, "pipe")]);
  await symlink("nowhere", join(folder.path, "broken"));
  await symlink("loop", join(folder.path, "loop"));
  const hunk = "@@\n-a\n+b";
  const text = patchOf(
    `*** Update File: pipe\n${hunk}`,
    "*** Add File: broken\n+x",
    "*** Add File: loop/x\n+x",
    `*** Update File: /dev/null\n${hunk}`,
  );
  const result = await applyText(folder.path, text);
  expect(result.type === "patch.failed" && result.problems.map((problem) => problem.message)).toEqual([
    "pipe is not a regular file but a pipe, socket or device.",
    "broken is a symbolic link to something that does not exist.",
    "loop/x cannot be used: a loop of symbolic links.",
    "/dev/null is not a regular file but a pipe, socket or device.",
  ]);
  await expect(nodePatchFiles.readFile(join(folder.path, "pipe"))).rejects.toEqual(
    new PatchFilesError("it is not a regular file", { code: "EINVAL", retryable: false }),
  );
});

test("a failure in the last file puts every file back, the very same one", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  await writeFile(path("a"), "a\n");
  await writeFile(path("b"), "b\n");
  await symlink("a", path("l"));
  const before = await lstat(path("a"));
  const failing: PatchFiles = {
    ...nodePatchFiles,
    rename: async (from, to) => {
      if (to === path("new/x")) await mkdir(to);
      await nodePatchFiles.rename(from, to);
    },
  };
  const text = patchOf(
    "*** Update File: a\n@@\n-a\n+A",
    "*** Delete File: b\n*** Delete File: l",
    "*** Update File: b2\n@@\n-b\n+B",
    "*** Add File: new/x\n+x",
  );
  await writeFile(path("b2"), "b\n");
  expect(await applyText(folder.path, text, failing)).toMatchObject({
    type: "patch.failed",
    problems: [{ type: "write.failed", path: "new/x", message: "new/x could not be written: it is a folder." }],
  });
  const after = await lstat(path("a"));
  expect([after.ino, after.mode]).toEqual([before.ino, before.mode]);
  expect(await readTree(folder.path)).toEqual(
    Object.fromEntries(Object.entries({ a: "a\n", b: "b\n", b2: "b\n" }).map(([name, body]) => [name, btoa(body)])),
  );
  expect(await readlink(path("l"))).toBe("a");
});

test("names that are taken by leftovers of a crash are stepped over", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "a"), "a\n");
  await writeFile(join(folder.path, ".unroll-patch-0"), "left");
  await symlink("a", join(folder.path, ".unroll-patch-1"));
  expect((await applyText(folder.path, patchOf("*** Update File: a\n@@\n-a\n+b"))).type).toBe("patch.applied");
  expect(await readFile(join(folder.path, "a"), "utf8")).toBe("b\n");
  expect((await readdir(folder.path)).toSorted()).toEqual([".unroll-patch-0", ".unroll-patch-1", "a"]);
});

test("another name of a changed file keeps the old text", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "a"), "a\n");
  await link(join(folder.path, "a"), join(folder.path, "twin"));
  await applyText(folder.path, patchOf("*** Update File: a\n@@\n-a\n+b"));
  expect(await readFile(join(folder.path, "twin"), "utf8")).toBe("a\n");
});

test("a file that was written to after the plan was made fails the commit", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "a"), "a\n");
  const plan = await planText(folder.path, patchOf("*** Update File: a\n@@\n-a\n+b"));
  if (plan.type === "patch.failed") throw new Error(plan.message);
  await writeFile(join(folder.path, "a"), "a\nmore\n");
  expect(await commitPlan(plan, nodePatchFiles, signal)).toMatchObject({ problems: [{ type: "file.changed" }] });
  expect(await readFile(join(folder.path, "a"), "utf8")).toBe("a\nmore\n");
});
