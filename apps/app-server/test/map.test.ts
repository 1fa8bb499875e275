import type { FileChange } from "@unroll/protocol";
import { expect, test } from "vitest";
import { toFileUpdates } from "../src/map/to-file-updates.ts";
import { toWireItem } from "../src/map/to-wire-item.ts";

const [from, path] = ["/w/a.txt", "/w/b.txt"];
const head = `--- ${path}\n+++ ${path}\n`;
const update: FileChange = { path, kind: "update" };
const toDiff = (change: FileChange, diff: string): string | undefined => toFileUpdates([change], diff)[0]?.diff;

// each as codex 0.169 writes it
test.for<readonly [string, FileChange, string, string]>([
  [
    "the text of an added file",
    { path, kind: "add" },
    `--- /dev/null\n+++ ${path}\n@@ -0,0 +1,2 @@\n+one\n+two\n`,
    "one\ntwo\n",
  ],
  [
    "the text of a deleted file",
    { path, kind: "delete" },
    `--- ${path}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n`,
    "one\ntwo\n",
  ],
  [
    "no line break where the file has none",
    { path, kind: "delete" },
    `--- ${path}\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n`,
    "x",
  ],
  ["nothing of an empty file", { path, kind: "add" }, `--- /dev/null\n+++ ${path}\n`, ""],
  [
    "a hunk with one line around the change",
    update,
    `${head}@@ -1,6 +1,6 @@\n line 1\n line 2\n-line 3\n+LINE 3\n line 4\n line 5\n line 6\n`,
    "@@ -2,3 +2,3 @@\n line 2\n-line 3\n+LINE 3\n line 4\n",
  ],
  [
    "two hunks where changes are apart, with the numbers of both files",
    update,
    `${head}@@ -1,9 +1,9 @@\n-1\n 2\n 3\n 4\n 5\n-6\n+6a\n+6b\n 7\n 8\n 9\n@@ -20,2 +20,1 @@\n-20\n 21\n`,
    "@@ -1,2 +1 @@\n-1\n 2\n@@ -5,3 +4,4 @@\n 5\n-6\n+6a\n+6b\n 7\n@@ -20,2 +20 @@\n-20\n 21\n",
  ],
  ["the line in front of a file that becomes empty", update, `${head}@@ -1,1 +0,0 @@\n-1\n`, "@@ -1 +0,0 @@\n-1\n"],
  [
    "the hunks and the new path of a moved file",
    { path, kind: "update", moved_from: from },
    `--- ${from}\n+++ ${path}\n@@ -1,2 +1,2 @@\n-a\n b\n+b\n`,
    `@@ -1,2 +1,2 @@\n-a\n b\n+b\n\n\nMoved to: ${path}`,
  ],
  [
    "only the new path of a file that is as it was",
    { path, kind: "update", moved_from: from },
    `--- ${from}\n+++ ${path}\n`,
    `\n\nMoved to: ${path}`,
  ],
])("the diff of a change has %s", ([, change, diff, expected]) => {
  expect(toDiff(change, diff)).toBe(expected);
});

test("changes are in the order of their old paths, and an added file that replaces one is an update", () => {
  const changes: FileChange[] = [
    { path: "/w/z.txt", kind: "add" },
    { path: "/w/moved.txt", kind: "update", moved_from: "/w/m.txt" },
    { path: "/w/c.txt", kind: "delete" },
  ];
  const diff = [
    "--- /w/z.txt\n+++ /w/z.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n",
    "--- /w/m.txt\n+++ /w/moved.txt\n@@ -1,1 +1,1 @@\n-1\n+2\n",
    "--- /w/c.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-c\n",
  ].join("");
  expect(toFileUpdates(changes, diff)).toEqual([
    { path: "/w/c.txt", kind: { type: "delete" }, diff: "c\n" },
    {
      path: "/w/m.txt",
      kind: { type: "update", move_path: "/w/moved.txt" },
      diff: "@@ -1 +1 @@\n-1\n+2\n\n\nMoved to: /w/moved.txt",
    },
    { path: "/w/z.txt", kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-old\n+new\n" },
  ]);
});

test("a diff that was cut comes whole with the first file, and none is empty", () => {
  const cut = `${head}@@ -1,2 +1,2 @@\n-old\n[... 9 lines left out ...]\n`;
  const changes: FileChange[] = [update, { path: "/w/c.txt", kind: "delete" }];
  expect(toFileUpdates(changes, cut).map(({ diff }) => diff)).toEqual([cut, ""]);
  expect(toFileUpdates(changes, "").map(({ diff }) => diff)).toEqual(["", ""]);
});

test("a command says what it reads, in its own folder", () => {
  const item = {
    id: "item_0",
    type: "command_execution",
    cwd: "/w/sub",
    command: "cd x && cat a.ts | head -5; rg TODO src",
  } as const;
  expect(
    toWireItem({ ...item, aggregated_output: "", exit_code: 0, status: "completed" }, { threadId: "t", cwd: "/w" }),
  ).toMatchObject({
    commandActions: [
      { type: "read", command: "cat a.ts", name: "a.ts", path: "/w/sub/x/a.ts" },
      { type: "search", command: "rg TODO src", query: "TODO", path: "src" },
    ],
  });
});
