import {
  createMemoryPatchFiles,
  parsePatch,
  PatchFilesError,
  planPatch,
  type PatchFailure,
  type PatchFiles,
  type PatchFileStat,
  type PatchPlan,
  type PlanOptions,
} from "@unroll/apply-patch";
import { expect, test } from "vitest";
import { openOptions, updatePatch, wholePatch } from "./apply-text.ts";
import { interceptFiles } from "./intercept-files.ts";

async function planText(
  text: string,
  files: PatchFiles,
  options: Partial<PlanOptions> = {},
): Promise<PatchPlan | PatchFailure> {
  const parsed = parsePatch(text);
  return parsed.type === "patch.failed" ? parsed : planPatch(parsed.patch, files, { ...openOptions, ...options });
}

const encode = (text: string) => new TextEncoder().encode(text);

test("a plan says what changes, what is written where, and writes nothing", async () => {
  const before = { "/project/a": "a\n", "/project/b": "b\n", "/project/c": "c\n" };
  const files = createMemoryPatchFiles(before);
  const project = await files.openFolder("/project");
  const statOf = async (name: string) => (await project?.stat(name)) ?? null;
  const permissions = { mode: 0o644, user: 0, group: 0 };
  const folder = "/project";
  const text = wholePatch(
    "*** Add File: x/y/new",
    "+n",
    "*** Delete File: a",
    "*** Update File: b",
    "*** Move to: x/b",
    "@@",
    "-b",
    "+B",
    "*** Update File: ../project/c",
    "@@",
    "-c",
    "+C",
  );
  expect(await planText(text, files)).toEqual({
    type: "patch.planned",
    changes: [
      { kind: "add", path: "x/y/new", movedFrom: null },
      { kind: "delete", path: "a", movedFrom: null },
      { kind: "update", path: "x/b", movedFrom: "b" },
      { kind: "update", path: "../project/c", movedFrom: null },
    ],
    writes: [
      {
        path: "x/y/new",
        realPath: "/project/x/y/new",
        folder: "/project/x/y",
        name: "new",
        before: null,
        bytes: encode("n\n"),
        permissions: null,
      },
      { path: "a", realPath: "/project/a", folder, name: "a", before: await statOf("a"), bytes: null, permissions },
      { path: "b", realPath: "/project/b", folder, name: "b", before: await statOf("b"), bytes: null, permissions },
      {
        path: "x/b",
        realPath: "/project/x/b",
        folder: "/project/x",
        name: "b",
        before: null,
        bytes: encode("B\n"),
        permissions,
      },
      {
        path: "../project/c",
        realPath: "/project/c",
        folder,
        name: "c",
        before: await statOf("c"),
        bytes: encode("C\n"),
        permissions,
      },
    ],
    outsideWritableRoots: [],
    folders: [
      { realPath: "/project", identity: project?.identity ?? null },
      { realPath: "/project/x", identity: null },
      { realPath: "/project/x/y", identity: null },
    ],
  } satisfies PatchPlan);
  expect(files.texts()).toEqual(before);
});

test("targets outside the writable roots are listed by their real path, whatever way leads there", async () => {
  const files = createMemoryPatchFiles({
    "/etc/passwd": "root\n",
    "/etc/hosts": "localhost\n",
    "/project/inside": "i\n",
    "/project/link": { link: "/etc/hosts" },
    "/project/folder": { link: "/etc" },
  });
  const text = wholePatch(
    "*** Update File: /etc/passwd",
    "@@",
    "-root",
    "+toor",
    "*** Update File: link",
    "@@",
    "-localhost",
    "+remote",
    "*** Add File: folder/new",
    "+n",
    "*** Add File: ../up",
    "+u",
    "*** Update File: inside",
    "*** Move to: ../outside",
  );
  const plan = await planText(text, files);
  expect(plan.type === "patch.planned" && plan.outsideWritableRoots).toEqual([
    "/etc/passwd",
    "/etc/hosts",
    "/etc/new",
    "/up",
    "/outside",
  ]);
});

test("a symbolic link is written through, deleted as itself, and moved as the text behind it", async () => {
  const files = createMemoryPatchFiles({
    "/project/real": "r\n",
    "/project/one": { link: "/project/real" },
    "/project/two": { link: "/project/real" },
    "/project/three": { link: "/project/real" },
  });
  const text = wholePatch(
    "*** Update File: one",
    "@@",
    "-r",
    "+R",
    "*** Delete File: two",
    "*** Add File: two",
    "+no link any more",
    "*** Update File: three",
    "*** Move to: copy",
  );
  const plan = await planText(text, files);
  const writes = plan.type === "patch.planned" ? plan.writes : [];
  expect(writes.map(({ realPath, bytes }) => [realPath, bytes && new TextDecoder().decode(bytes)])).toEqual([
    ["/project/real", "R\n"],
    ["/project/two", "no link any more\n"],
    ["/project/three", null],
    ["/project/copy", "R\n"],
  ]);
});

test("a link to nothing, a read-only file, an unreadable one, a large one and a device are refused by name", async () => {
  const tree = createMemoryPatchFiles({
    "/project/broken": { link: "/project/nothing" },
    "/project/fixed": "f\n",
    "/project/secret": "s\n",
    "/project/large": "x".repeat(101),
    "/project/pipe": "",
  });
  const files = interceptFiles(tree, async (name, call, [path]) => {
    const result = await call();
    if (name !== "stat" || result === null) return result;
    const kind = String(path).endsWith("pipe") ? { type: "other" } : {};
    return { ...(result as PatchFileStat), isWritable: !String(path).endsWith("fixed"), ...kind };
  });
  const hunk = "@@\n+x";
  const text = wholePatch(
    "*** Add File: broken\n+x\n*** Add File: fixed\n+x\n*** Add File: pipe\n+x",
    `*** Update File: fixed\n${hunk}\n*** Update File: secret\n${hunk}\n*** Update File: large\n${hunk}`,
    `*** Update File: fixed\n*** Move to: pipe\n${hunk}\n*** Add File: /\n+x`,
  );
  const failure = await planText(text, files, { maxFileBytes: 100, isReadable: (path) => !path.endsWith("secret") });
  expect(failure.type === "patch.failed" && failure.problems.map((problem) => problem.message)).toEqual([
    "broken is a symbolic link to something that does not exist.",
    "fixed is read-only.",
    "pipe is not a regular file but a pipe, socket or device.",
    "fixed is read-only.",
    "secret may not be read.",
    "large has 101 bytes; files of at most 100 bytes are patched.",
    "pipe is not a regular file but a pipe, socket or device.",
    "/ is a folder.",
  ]);
});

test("a file that an earlier part of the patch removed cannot be changed by a later one", async () => {
  const files = createMemoryPatchFiles({ "/project/a": "a\n" });
  const failure = await planText(wholePatch("*** Delete File: a", "*** Update File: a", "@@", "+x"), files);
  expect(failure).toMatchObject({
    problems: [{ type: "file.unusable", message: "a was removed or moved by an earlier part of this patch." }],
  });
});

test("what a moved file becomes afterwards counts for the file that it was", async () => {
  const files = createMemoryPatchFiles({ "/project/a": "a\n", "/project/b": "b\n" });
  const moves = wholePatch(
    "*** Update File: a\n*** Move to: t\n*** Update File: t\n*** Move to: u",
    "*** Update File: b\n*** Move to: v\n*** Delete File: v",
    "*** Add File: n\n+n\n*** Update File: n\n*** Move to: m",
  );
  const plan = await planText(moves, files);
  expect(plan.type === "patch.planned" && plan.changes).toEqual([
    { kind: "update", path: "u", movedFrom: "a" },
    { kind: "delete", path: "b", movedFrom: null },
    { kind: "add", path: "m", movedFrom: null },
  ]);
});

test("a file system error is a problem of that file; a bug of the port goes through", async () => {
  const tree = createMemoryPatchFiles({ "/project/a": "a\n" });
  const failing = (error: Error) => interceptFiles(tree, () => Promise.reject(error));
  const denied = new PatchFilesError("permission denied", { code: "EACCES", retryable: false });
  const text = wholePatch("*** Delete File: a");
  expect(await planText(text, failing(denied))).toMatchObject({
    problems: [{ type: "file.unusable", path: "a", message: "a cannot be used: permission denied." }],
  });
  await expect(planText(text, failing(new TypeError("oops")))).rejects.toThrow("oops");
});

test("an aborted plan rejects with the signal's reason", async () => {
  const files = createMemoryPatchFiles({ "/project/a": "a\n" });
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(planText(wholePatch("*** Delete File: a"), files, { signal })).rejects.toThrow("stop");
});

test("hundreds of problems are cut to what a model can use", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${"value ".repeat(50)}${index}`);
  const files = createMemoryPatchFiles({ "/project/a": `${lines.join("\n")}\n` });
  const hunks = lines.flatMap((line) => ["@@", `-${line}?`, "+x"]);
  const failure = await planText(updatePatch("a", ...hunks), files);
  expect(failure.type === "patch.failed" && failure.problems.length).toBe(20);
  expect(failure.type === "patch.failed" && failure.message.length).toBeLessThan(8_000);
  expect(failure).toMatchObject({ message: expect.stringContaining("(There are more problems than these.)") });
});

test("a difference far out in a long line, or in characters that cannot be seen, is shown", async () => {
  const long = "x".repeat(500);
  const files = createMemoryPatchFiles({ "/project/a": `${long}=1;\n`, "/project/b": "one\u200btwo\n" });
  const text = wholePatch(`*** Update File: a\n@@\n-${long}=2;\n+y`, "*** Update File: b\n@@\n-onetwo\n+y");
  const failure = await planText(text, files);
  expect(failure.type === "patch.failed" && failure.problems.map((problem) => problem.message)).toEqual([
    expect.stringMatching(/expected \| …x+=2;\n {2}the file \| …x+=1;\n/),
    expect.stringContaining("expected | onetwo\n  the file | one\\u{200b}two\n"),
  ]);
});
