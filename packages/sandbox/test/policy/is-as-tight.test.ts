import type { SandboxPolicy, WorkspaceWritePolicy } from "@unroll/protocol";
import { isAsTight } from "@unroll/sandbox";
import { expect, test } from "vitest";

const limits = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };
const walls = { hidden: ["/home/ana/.codex/auth.json"], allowWeaker: false, limits };
const closed = { type: "closed" } as const;
const full: SandboxPolicy = { mode: "danger-full-access" };
const reading: SandboxPolicy = { ...walls, mode: "read-only", network: closed };
const root = (path: string, inode = "1") =>
  ({ path, kind: "work", identity: { device: "1", inode } }) as const satisfies WorkspaceWritePolicy["roots"][number];
const writing: WorkspaceWritePolicy = {
  ...walls,
  mode: "workspace-write",
  network: closed,
  roots: [root("/project")],
  readOnly: [{ path: "/project/.codex", kind: "agent" }],
  git: "writable",
};

const reaching = (allow: readonly string[], deny: readonly string[] = []): WorkspaceWritePolicy => ({
  ...writing,
  network: { type: "hosts", allow, deny },
});

test.for<readonly [string, SandboxPolicy, SandboxPolicy]>([
  ["another mode", full, writing],
  ["any folder to write", writing, reading],
  ["another folder to write", { ...writing, roots: [root("/project"), root("/other")] }, writing],
  ["the folder around it", { ...writing, roots: [root("/")] }, writing],
  ["what is protected", { ...writing, readOnly: [] }, writing],
  ["what is hidden", { ...writing, hidden: [] }, writing],
  ["the network", { ...writing, network: { type: "open" } }, writing],
  ["some hosts", reaching(["a.example"]), writing],
  ["all hosts", { ...writing, network: { type: "open" } }, reaching(["a.example"])],
  ["more hosts", reaching(["*.example.com"]), reaching(["a.example.com:443"])],
  ["a host that the other one denies", reaching(["*.example.com"]), reaching(["*.example.com"], ["a.example.com"])],
  ["git's own files", writing, { ...writing, git: "protected" }],
  ["weaker walls", { ...reading, allowWeaker: true }, reading],
])("what reaches %s is not as tight", ([, wide, tight]) => {
  expect([isAsTight(wide, tight), isAsTight(tight, wide)]).toEqual([false, true]);
});

test.for<readonly [string, SandboxPolicy, SandboxPolicy]>([
  ["another folder in the place of the same", { ...writing, roots: [root("/project", "2")] }, writing],
  ["a folder that the other one protects", { ...writing, roots: [root("/project/.codex/a")] }, writing],
  ["a folder that the other one hides", writing, { ...writing, roots: [root("/")], hidden: ["/project"] }],
])("of two policies of which one reaches %s, none is as tight", ([, one, other]) => {
  expect([isAsTight(one, other), isAsTight(other, one)]).toEqual([false, false]);
});

test("a policy is as tight as itself, whatever the limits", () => {
  for (const policy of [full, reading, writing]) expect(isAsTight(policy, policy)).toBe(true);
  expect(isAsTight({ ...reading, limits: { ...limits, maxProcesses: 9 } }, reading)).toBe(true);
});
