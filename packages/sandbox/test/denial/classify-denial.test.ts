import { describe, expect, it } from "vitest";
import { classifyDenial, type ConfinedRun } from "@unroll/sandbox";
import { WORKSPACE_WRITE } from "../fixture/sandbox.ts";

const RUN: ConfinedRun = {
  argv: ["bash", "-lc", "x"],
  cwd: "/w",
  exitCode: 1,
  text: "",
  policy: WORKSPACE_WRITE,
  backend: "bubblewrap",
  rules: [
    { type: "writable", path: "/w" },
    { type: "read-only", path: "/w/.git/config" },
    { type: "hidden-file", path: "/home/u/.codex/auth.json" },
  ],
};

function classify(text: string, run: Partial<ConfinedRun> = {}) {
  const denial = classifyDenial({ ...RUN, text, ...run });
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
    ["umount: /mnt/disk: device or resource busy", undefined],
    ["curl: (6) Could not resolve host: example.com", ["network", "likely", undefined]],
    ["getaddrinfo EAI_AGAIN packages.example.org", ["network", "likely", undefined]],
    ["connect ECONNREFUSED 10.0.0.1:80", ["network", "likely", undefined]],
    ["cat: /home/u/.codex/auth.json: Permission denied", ["filesystem", "certain", "/home/u/.codex/auth.json"]],
    ["cat: /no/such/place: Permission denied", undefined],
    ["strace: ptrace: Operation not permitted", ["process", "likely", undefined]],
    ["assertion failed", undefined],
  ])("%s", (text, expected) => {
    expect(classify(text)).toEqual(expected);
  });

  it("is never the sandbox when it did not fail", () => {
    expect(classify("warning: Read-only file system", { exitCode: 0 })).toBeUndefined();
  });

  it("is not the network when there is one", () => {
    const policy = { ...WORKSPACE_WRITE, networkAccess: true };
    expect(classify("curl: (6) Could not resolve host: example.com", { policy })).toBeUndefined();
    expect(classify("", { policy, exitCode: undefined, argv: ["npm", "install"] })).toBeUndefined();
  });

  it("may be the network when a program that tries again for minutes ran out of time", () => {
    expect(classify("", { exitCode: undefined, argv: ["bash", "-lc", "cd x && npm install"] })).toEqual([
      "network",
      "likely",
      undefined,
    ]);
    expect(classify("", { exitCode: undefined, argv: ["make"] })).toBeUndefined();
  });

  it("shows as missing permission in the weaker sandbox", () => {
    expect(classify("touch: cannot touch '/etc/x': Permission denied", { backend: "landlock" })).toEqual([
      "filesystem",
      "likely",
      "/etc/x",
    ]);
    expect(classify("touch: cannot touch '/etc/x': Read-only file system", { backend: "landlock" })).toBeUndefined();
  });

  it("is told in a sentence that names the mode", () => {
    expect(classifyDenial({ ...RUN, text: "x: Could not resolve host: y" })?.reason).toBe(
      "The sandbox (workspace-write) gives commands no network; this is policy, not an outage.",
    );
  });
});
