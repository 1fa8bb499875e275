import { execFile } from "node:child_process";
import {
  chmod,
  cp,
  link,
  lstat,
  mkdir,
  mkdtempDisposable,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
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
  type PatchFileStat,
  PatchFilesError,
  type PatchFolder,
  type PatchPlan,
  planPatch,
} from "@unroll/apply-patch";
import { createNodePatchFiles, nodePatchFiles } from "@unroll/apply-patch/node";
import { expect, test } from "vitest";
import { openFolderByPath } from "../../src/node/folder-handle.ts";

const { signal } = new AbortController();
/** Linux: elsewhere folders cannot be held. */
const isHeld = existsSync("/proc/self/fd");

async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-patch-"));
  return { path: folder.path, [Symbol.asyncDispose]: () => folder.remove() };
}

async function planText(
  cwd: string,
  text: string,
  files: PatchFiles = nodePatchFiles,
): Promise<PatchPlan | PatchFailure> {
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") return parsed;
  const isWritable = (path: string) => path.startsWith(`${cwd}/`);
  return planPatch(parsed.patch, files, { cwd, isWritable, isReadable: () => true, signal });
}

async function applyText(
  cwd: string,
  text: string,
  files: PatchFiles = nodePatchFiles,
): Promise<PatchApplied | PatchFailure> {
  const plan = await planText(cwd, text, files);
  return plan.type === "patch.failed" ? plan : commitPlan(plan, files, signal);
}

async function openFolder(path: string, files: PatchFiles = nodePatchFiles): Promise<PatchFolder> {
  const folder = await files.openFolder(path);
  if (folder === null) throw new Error(`${path} is no folder`);
  return folder;
}

async function statOf(folder: PatchFolder, name: string): Promise<PatchFileStat> {
  const stat = await folder.stat(name);
  if (stat === null) throw new Error(`There is no ${name}`);
  return stat;
}

/** Files on disk; `act` runs before each call of that method of a folder. */
function beforeCall(name: keyof PatchFolder, act: () => Promise<void>, files: PatchFiles = nodePatchFiles): PatchFiles {
  const wrap = (folder: PatchFolder): PatchFolder =>
    new Proxy(folder, {
      get(target, key: keyof PatchFolder) {
        const member: unknown = target[key];
        if (typeof member !== "function") return member;
        return async (...args: readonly unknown[]) => {
          if (key === name) await act();
          const result: unknown = await Reflect.apply(member, target, args);
          return key === "makeFolder" ? wrap(result as PatchFolder) : result;
        };
      },
    });
  return {
    resolve: (base, path) => files.resolve(base, path),
    openFolder: async (path) => {
      const folder = await files.openFolder(path);
      return folder && wrap(folder);
    },
  };
}

const patchOf = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** Node.js 26 follows links in a recursive listing; this does not. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const found = (await readdir(folder, { withFileTypes: true })).map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

async function readTree(folder: string): Promise<Record<string, string>> {
  const files = existsSync(folder) ? await listFiles(folder) : [];
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file, "base64")] as const)),
  );
}

const cases = join(import.meta.dirname, "../../../../conformance/apply-patch");

const kinds = {
  "on disk": nodePatchFiles,
  "on disk without handles": createNodePatchFiles({ listRoots: () => [], openHandle: openFolderByPath }),
};
const names = readdirSync(cases).filter((name) => /^\d/.test(name));

test.for(Object.entries(kinds).flatMap(([kind, files]) => names.map((name) => [name, kind, files] as const)))(
  "conformance case %s %s",
  async ([name, , files]) => {
    await using folder = await makeFolder();
    const source = join(cases, name);
    if (existsSync(join(source, "input"))) await cp(join(source, "input"), folder.path, { recursive: true });
    const result = await applyText(folder.path, await readFile(join(source, "patch.txt"), "utf8"), files);
    const isFailure = existsSync(join(source, "expected-error.txt"));
    const message = await readFile(join(source, isFailure ? "expected-error.txt" : "expected-output.txt"), "utf8");
    expect(`${result.message}\n`).toBe(message.replaceAll("{cwd}", folder.path));
    expect(await readTree(folder.path)).toEqual(await readTree(join(source, isFailure ? "input" : "expected")));
  },
);

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
  await using opened = await openFolder(folder.path);
  await expect(opened.readFile("pipe", await statOf(opened, "pipe"))).rejects.toEqual(
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
  const failing = beforeCall("renameToNew", () => mkdir(path("new/x")));
  const text = patchOf(
    "*** Update File: a\n@@\n-a\n+A",
    "*** Delete File: b\n*** Delete File: l",
    "*** Update File: b2\n@@\n-b\n+B",
    "*** Add File: new/x\n+x",
  );
  await writeFile(path("b2"), "b\n");
  expect(await applyText(folder.path, text, failing)).toMatchObject({
    type: "patch.failed",
    problems: [
      { type: "write.failed", path: "new/x", message: "new/x could not be written: something is there already." },
    ],
  });
  const after = await lstat(path("a"));
  expect([after.ino, after.mode]).toEqual([before.ino, before.mode]);
  expect(await readTree(folder.path)).toEqual(
    Object.fromEntries(Object.entries({ a: "a\n", b: "b\n", b2: "b\n" }).map(([name, body]) => [name, btoa(body)])),
  );
  expect(await readlink(path("l"))).toBe("a");
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

/** A root with a folder `d`, one of the same look outside, and a plan that adds to `d`. */
async function planBeneath(files: PatchFiles, folder: string): Promise<PatchPlan> {
  for (const side of ["work/d", "outside/d"]) await mkdir(join(folder, side), { recursive: true });
  const plan = await planText(join(folder, "work"), patchOf("*** Add File: d/f\n+f"), files);
  if (plan.type === "patch.failed") throw new Error(plan.message);
  return plan;
}

test.for(Object.entries(kinds))(
  "a folder that is replaced while the patch is written fails it, %s",
  async ([, files]) => {
    await using folder = await makeFolder();
    const path = (name: string) => join(folder.path, name);
    const plan = await planBeneath(files, folder.path);
    let isSwapped = false;
    const swapping = beforeCall(
      "isInPlace",
      async () => {
        if (isSwapped) return;
        isSwapped = true;
        await rename(path("work/d"), path("work/moved"));
        await symlink(path("outside/d"), path("work/d"));
      },
      files,
    );
    expect(await commitPlan(plan, swapping, signal)).toMatchObject({
      problems: [
        {
          type: "file.changed",
          path: "d/f",
          message: "The folder of d/f has been moved or replaced since the patch was checked against it.",
        },
      ],
    });
    expect(await readTree(path("outside"))).toEqual({});
  },
);

test.skipIf(!isHeld)("what is done after a folder was replaced is done in the one that was judged", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  const plan = await planBeneath(nodePatchFiles, folder.path);
  const swapping = beforeCall("renameToNew", async () => {
    await rename(path("work/d"), path("work/moved"));
    await symlink(path("outside/d"), path("work/d"));
  });
  expect(await commitPlan(plan, swapping, signal)).toMatchObject({ type: "patch.applied" });
  expect(await readTree(folder.path)).toEqual({ "work/moved/f": btoa("f\n") });
});

test("a folder that was replaced by another one between the plan and the approval fails the patch", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  const plan = await planBeneath(nodePatchFiles, folder.path);
  await rename(path("work/d"), path("work/moved"));
  await rename(path("outside/d"), path("work/d"));
  expect(await commitPlan(plan, nodePatchFiles, signal)).toMatchObject({
    problems: [{ type: "file.changed", path: "d/f" }],
  });
  expect(await readTree(folder.path)).toEqual({});
});

test.for([undefined, openFolderByPath])(
  "a root that another folder has taken the place of is refused",
  async (openHandle) => {
    await using folder = await makeFolder();
    const path = (name: string) => join(folder.path, name);
    for (const name of ["work/d", "other/d"]) await mkdir(path(name), { recursive: true });
    const { dev, ino } = await stat(path("work"), { bigint: true });
    const root = { path: path("work"), identity: { device: String(dev), inode: String(ino) } };
    const files = createNodePatchFiles({ listRoots: () => [root], ...(openHandle && { openHandle }) });
    const text = patchOf("*** Add File: d/f\n+f");
    expect((await applyText(path("work"), text, files)).type).toBe("patch.applied");
    await rename(path("work"), path("moved"));
    await rename(path("other"), path("work"));
    const why = `something else has taken the place of the writable folder ${path("work")} since the thread began`;
    expect(await applyText(path("work"), text, files)).toMatchObject({
      problems: [{ type: "file.unusable", message: `d/f cannot be used: ${why}.` }],
    });
    expect(await readTree(folder.path)).toEqual({ "moved/d/f": btoa("f\n") });
  },
);

test("what is written into a file at the moment it is replaced is not lost", async () => {
  await using folder = await makeFolder();
  const file = join(folder.path, "a");
  await writeFile(file, "a\n");
  await using theirs = await open(file, "a");
  const writing = beforeCall("rename", async () => void (await theirs.write("theirs\n")));
  expect(await applyText(folder.path, patchOf("*** Update File: a\n@@\n-a\n+b"), writing)).toMatchObject({
    problems: [{ type: "file.changed", path: "a" }],
  });
  expect(await readTree(folder.path)).toEqual({ a: btoa("a\ntheirs\ntheirs\n") });
});

test("links within the folder work as folders and as files", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  await mkdir(path("real/deep"), { recursive: true });
  await writeFile(path("real/a"), "a\n");
  await symlink("real", path("linked"));
  await symlink("../a", path("real/deep/up"));
  const text = patchOf(
    "*** Update File: linked/deep/up\n@@\n-a\n+b",
    "*** Add File: linked/new/n\n+n",
    "*** Add File: real/new/m\n+m",
  );
  expect((await applyText(folder.path, text)).message).toMatch(/^Success/);
  expect(await readTree(folder.path)).toEqual({
    "real/a": btoa("b\n"),
    "real/new/n": btoa("n\n"),
    "real/new/m": btoa("m\n"),
  });
  expect([await readlink(path("linked")), await readlink(path("real/deep/up"))]).toEqual(["real", "../a"]);
});

test.skipIf(!isHeld)("no file stays open", async () => {
  await using folder = await makeFolder();
  const countOpen = async () => (await readdir("/proc/self/fd")).length;
  const before = await countOpen();
  for (const name of ["a", "b/c", "b/c/d"])
    await applyText(folder.path, patchOf(`*** Add File: ${name}\n+x`, `*** Delete File: missing`));
  await applyText(folder.path, patchOf("*** Add File: b/c/d\n+x"));
  expect(await countOpen()).toBe(before);
});

test("a file that a link takes the place of before it is read is not read", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  await mkdir(path("work"));
  await writeFile(path("work/a"), "a\n");
  await writeFile(path("secret"), "s\n");
  const swapping = beforeCall("readFile", async () => {
    await rename(path("work/a"), path("work/moved"));
    await symlink(path("secret"), path("work/a"));
  });
  const text = patchOf("*** Update File: a\n*** Move to: b");
  expect(await applyText(path("work"), text, swapping)).toMatchObject({
    problems: [{ message: "a cannot be used: it is being changed by something else at this moment." }],
  });
  expect(await readTree(folder.path)).toEqual({ "work/moved": btoa("a\n"), secret: btoa("s\n") });
});

test("names that hide what they are come out spelled", async () => {
  await using folder = await makeFolder();
  const text = patchOf("*** Add File: a\u001b[2Jb\u202e\n+x");
  expect((await applyText(folder.path, text)).message).toBe(
    "Success. Updated the following files:\nA a\\u{1b}[2Jb\\u{202e}",
  );
});
