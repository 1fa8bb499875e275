import { spawnSync } from "node:child_process";
import { fromNative, type GitConfigEntry, parseGitConfig, toNative } from "@unroll/files";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDangerous } from "../../src/git/config-danger.ts";
import { formatGitConfig } from "../../src/git/format-config.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

it.skipIf(!hasGit)("a git configuration that is written again means the same to git", () => {
  const value = fc
    .string({ unit: fc.constantFrom("a", " ", '"', "\\", "#", ";", "\n", "\t", "é", "=") })
    .map((part) => `x${part}x`);
  const subsection = fc.option(fc.constantFrom("a", 'b"c', "d\\e"), { nil: null });
  const entries = fc
    .sample(fc.record({ subsection, value }), 200)
    .map((row, index): GitConfigEntry => ({ key: "", section: "s", name: `n${index}`, ...row }));
  const input = toNative(formatGitConfig(entries));
  const { status, stdout } = spawnSync("git", ["config", "--list", "--null", "--file", "-"], { input });
  expect({ status, read: fromNative(stdout).split("\0").slice(0, -1) }).toEqual({
    status: 0,
    read: entries.map((entry) => `${["s", entry.subsection, entry.name].filter(Boolean).join(".")}\n${entry.value}`),
  });
});

describe("a variable", () => {
  const judge = (text: string) => parseGitConfig(text)?.map((entry) => isDangerous(entry));

  it.each([
    "[core]\nfsmonitor = ./evil",
    "[core]\nhooksPath = 1",
    "[include]\npath = x",
    '[includeIf "gitdir:/"]\npath = true',
    "[alias]\nst = !evil",
    "[core]\nworktree = 1",
    '[filter "x"]\nclean = evil',
    '[remote "o"]\nurl = ext::sh -c evil',
    '[branch "b"]\nremote = x::y',
    '[submodule "s"]\nupdate = !evil',
    "[gc]\nrecentObjectsHook = evil",
    "[credential]\nhelper = evil",
    '[remote "o"]\nvcs = evil',
    '[remote "o"]\nuploadpack = evil',
    '[protocol "ext"]\nallow = always',
    "[core]\nsshCommand = evil",
    '[url "x"]\ninsteadOf = y',
    "[commit]\ntemplate = 1",
    "[unheard]\nof = evil",
    // Git takes the name up to the NUL: remote.o.uploadpack.
    '[remote "o.uploadpack\0"]\nfetch = evil',
    '[submodule "x.update\0"]\npath = !evil',
    '[remote "a b\0"]\nfetch = evil',
  ])("is dangerous: %j", (text) => {
    expect(judge(text)).toEqual([true]);
  });

  it.each([
    "[core]\nbare = false",
    "[core]\nrepositoryformatversion = 0",
    "[core]\nautocrlf = input",
    "[core]\nx",
    "[unheard]\nof = 12k",
    '[remote "o"]\nurl = https://example.com/a.git',
    '[remote "o"]\nurl = git@example.com:a.git',
    '[remote "o"]\nfetch = +refs/heads/*:refs/remotes/o/*',
    '[branch "b"]\nremote = origin',
    '[branch "b"]\nmerge = refs/heads/b',
    "[user]\nname = A B",
    '[submodule "s"]\nupdate = rebase',
    "[extensions]\nobjectFormat = sha256",
  ])("is harmless: %j", (text) => {
    expect(judge(text)).toEqual([false]);
  });
});
