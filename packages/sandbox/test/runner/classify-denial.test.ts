import { describe, expect, it } from "vitest";
import type { ConfinedPolicy } from "@unroll/protocol";
import { classifyDenial, type ConfinedRun } from "../../src/runner/classify-denial.ts";

const policy: ConfinedPolicy = {
  mode: "workspace-write",
  network: { type: "closed" },
  roots: [],
  readOnly: [],
  git: "writable",
  hidden: [],
  allowWeaker: false,
  limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
};

const failedRun: ConfinedRun = {
  argv: ["bash", "-lc", "x"],
  cwd: "/w",
  exitCode: 1,
  text: "",
  policy,
  backend: "bubblewrap",
  rules: [
    { type: "writable", path: "/w" },
    { type: "read-only", path: "/w/.git/config" },
    { type: "absent", path: "/w/.codex" },
    { type: "hidden-file", path: "/home/u/.codex/auth.json" },
  ],
  deniedHosts: [],
};

function classify(text: string, run: Partial<ConfinedRun> = {}) {
  const denial = classifyDenial({ ...failedRun, text, ...run });
  return denial && [denial.kind, denial.confidence, denial.path];
}

describe("why a command failed", () => {
  it.each<[string, unknown]>([
    ["touch: cannot touch '/etc/x': Read-only file system", ["filesystem", "certain", "/etc/x"]],
    ["bash: line 1: ../f: Read-only file system", ["filesystem", "certain", "/f"]],
    ["bash: line 1: .git/config: Read-only file system", ["filesystem", "certain", "/w/.git/config"]],
    ["Error: EROFS: read-only file system, open '/w/mnt/x'", ["filesystem", "likely", "/w/mnt/x"]],
    ["OSError: [Errno 30] Read-only", ["filesystem", "likely", undefined]],
    [
      "error: could not write config file .git/config: Device or resource busy",
      ["filesystem", "likely", "/w/.git/config"],
    ],
    ["umount: /mnt/disk: device or resource busy", null],
    ["curl: (6) Could not resolve host: example.com", ["network", "likely", undefined]],
    ["getaddrinfo EAI_AGAIN packages.example.org", ["network", "likely", undefined]],
    ["connect ECONNREFUSED 10.0.0.1:80", ["network", "likely", undefined]],
    ["cat: /home/u/.codex/auth.json: Permission denied", ["filesystem", "certain", "/home/u/.codex/auth.json"]],
    ["cat: /no/such/place: Permission denied", null],
    ["touch: cannot touch '.codex/x': Permission denied", ["filesystem", "certain", "/w/.codex/x"]],
    ["strace: ptrace: Operation not permitted", ["process", "likely", undefined]],
    ["assertion failed", null],
  ])("%s", (text, expected) => {
    expect(classify(text)).toEqual(expected);
  });

  it("is never the sandbox when it did not fail", () => {
    expect(classify("warning: Read-only file system", { exitCode: 0 })).toBeNull();
  });

  it("is not the network when there is one", () => {
    const open = { policy: { ...policy, network: { type: "open" } } } as const;
    expect(classify("curl: (6) Could not resolve host: example.com", open)).toBeNull();
    expect(classify("", { ...open, exitCode: null, argv: ["npm", "install"] })).toBeNull();
  });

  it("may be the network when a program that tries again for minutes ran out of time", () => {
    expect(classify("", { exitCode: null, argv: ["bash", "-lc", "cd x && npm install"] })).toEqual([
      "network",
      "likely",
      undefined,
    ]);
    expect(classify("", { exitCode: null, argv: ["make"] })).toBeNull();
  });

  it("shows as missing permission in the weaker sandbox", () => {
    expect(classify("touch: cannot touch '/etc/x': Permission denied", { backend: "landlock" })).toEqual([
      "filesystem",
      "likely",
      "/etc/x",
    ]);
    expect(classify("touch: cannot touch '/etc/x': Read-only file system", { backend: "landlock" })).toBeNull();
  });

  it("gives a sentence that names the mode", () => {
    expect(classifyDenial({ ...failedRun, text: "x: Could not resolve host: y" })?.reason).toBe(
      "The sandbox (workspace-write) gives commands no network; this is policy, not an outage.",
    );
  });
});
