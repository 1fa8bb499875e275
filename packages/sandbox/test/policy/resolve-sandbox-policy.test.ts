import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FileIdentity, SandboxSettings, WorkspaceWritePolicy } from "@unroll/protocol";
import { canRead, canWrite, resolveSandboxPolicy, type SandboxPlace } from "@unroll/sandbox";
import { workspaceWrite } from "../fixture/sandbox.ts";

let base = "";
const at = (path: string): string => join(base, path);

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "unroll-policy-")));
  for (const folder of ["work", "home"]) mkdirSync(at(folder));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function resolve(settings: Partial<SandboxSettings> = {}, place: Partial<SandboxPlace> = {}) {
  return resolveSandboxPolicy(
    { ...workspaceWrite, ...settings },
    {
      cwd: at("work"),
      temporaryFolder: null,
      homeDirectory: at("home"),
      codexHome: at("home/.codex"),
      stateFolder: at("home/state"),
      ownFolders: [],
      ...place,
    },
  );
}

function rootsOf({ policy }: ReturnType<typeof resolve>): readonly string[] {
  return policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path.slice(base.length)) : [];
}

function identityOf(path: string): FileIdentity {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

it("says all that commands may do, as plain data", () => {
  const resolved = resolve({ networkAccess: true, denyRead: [at("home/.codex/auth.json")] });
  const policy: WorkspaceWritePolicy = {
    mode: "workspace-write",
    network: { type: "open" },
    roots: [{ path: at("work"), kind: "work", identity: identityOf(at("work")) }],
    readOnly: [
      { path: at("work/.codex"), kind: "agent" },
      { path: at("work/.agents"), kind: "agent" },
      { path: at("home/.codex"), kind: "harness" },
      { path: at("home/.agents"), kind: "agent" },
      { path: at("home/state"), kind: "harness" },
    ],
    git: "writable",
    hidden: [at("home/.codex/auth.json")],
    allowWeaker: false,
    limits: { maxProcesses: 4096, maxMemoryMb: null, maxTotalMemoryMb: "most" },
  };
  expect(resolved).toEqual({ policy, warnings: [] });
  expect(JSON.parse(JSON.stringify(resolved.policy))).toEqual(policy);
});

it("says little where nothing is written, or all may be", () => {
  const closed = {
    network: { type: "closed" },
    hidden: [at("x")],
    allowWeaker: true,
    limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
  };
  expect([
    resolve({
      mode: "read-only",
      networkAccess: true,
      denyRead: [at("x")],
      allowWeaker: true,
      limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
    }),
    resolve({ mode: "danger-full-access", denyRead: [at("x")] }),
  ]).toEqual([
    { policy: { mode: "read-only", ...closed }, warnings: [] },
    { policy: { mode: "danger-full-access" }, warnings: [] },
  ]);
});

it("makes folders that are missing, for this user alone where they are temporary", () => {
  const resolved = resolve(
    { writableRoots: [at("cache")], excludeTmpdirEnvVar: false },
    { temporaryFolder: at("temporary") },
  );
  expect(rootsOf(resolved)).toEqual(["/work", "/cache", "/temporary"]);
  expect(resolved.warnings).toEqual([
    `The writable folder ${at("cache")} did not exist, so unroll created it.`,
    `The temporary folder ${at("temporary")} did not exist, so unroll created it.`,
  ]);
  expect(statSync(at("temporary")).mode & 0o777).toBe(0o700);
});

it("leaves out folders that do not work or that commands could redirect, with a warning", () => {
  writeFileSync(at("file"), "");
  mkdirSync(at("home/.codex"));
  mkdirSync(at("real"));
  symlinkSync(at("real"), at("work/link"));
  symlinkSync(at("nowhere"), at("dangling"));
  symlinkSync(at("real"), at("fine"));
  const names = ["no/parent", "file", "home/.codex/threads", "work/link", "dangling", "fine"];
  const resolved = resolve({ writableRoots: names.map(at) });
  expect(rootsOf(resolved)).toEqual(["/work", "/nowhere", "/real"]);
  const cannot = "commands cannot write there.";
  expect(resolved.warnings).toEqual([
    `The writable folder ${at("no/parent")} does not exist and cannot be created (ENOENT: no such file or directory, mkdir '${at("no/parent")}'): ${cannot}`,
    `The writable folder ${at("file")} is not a folder: ${cannot}`,
    `The writable folder ${at("home/.codex/threads")} is in ${at("home/.codex")}, which belongs to unroll itself: ${cannot}`,
    `The writable folder ${at("work/link")} goes through the link ${at("work/link")}, which commands could replace: ${cannot}`,
    `The writable folder ${at("nowhere")} did not exist, so unroll created it.`,
  ]);
});

it("keeps what steers agents in every folder from a root down to the working folder", () => {
  mkdirSync(at("code/shop/web"), { recursive: true });
  const { policy } = resolve({ writableRoots: [at("code")] }, { cwd: at("code/shop/web") });
  const judge = (path: string): boolean => canWrite(policy, at(path));
  expect(["code/shop/.codex/config.toml", "code/.agents/x", "code/shop/web/.codex/x"].map(judge)).toEqual([
    false,
    false,
    false,
  ]);
  expect(["code/other/.codex/x", "code/shop/web/src/.agents/x", "code/x"].map(judge)).toEqual([true, true, true]);
});

it("keeps this program's own folders where they are missing too, and makes what they belong into", () => {
  const { policy } = resolve({ writableRoots: [at("home")] }, { codexHome: at("home/settings/codex") });
  expect([existsSync(at("home/settings")), existsSync(at("home/settings/codex"))]).toEqual([true, false]);
  expect(
    ["home/settings/codex/rules/x", "home/state/x", "home/settings/x"].map((path) => canWrite(policy, at(path))),
  ).toEqual([false, false, true]);
});

it("keeps what git or an agent obeys in any spelling, and a root in a hidden folder open", () => {
  const { policy } = resolve({ denyRead: [base, at("work/.env")] });
  const judge = (path: string): readonly boolean[] => [canRead(policy, at(path)), canWrite(policy, at(path))];
  expect(["work/a", "work/.env", "work/.CODEX/x", "work/a/.Git/config", "home/a"].map(judge)).toEqual([
    [true, true],
    [false, false],
    [true, false],
    [true, false],
    [false, false],
  ]);
});
