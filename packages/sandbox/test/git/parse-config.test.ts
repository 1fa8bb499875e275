import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromNative, toNative } from "../../src/files/native-path.ts";
import { isDangerous } from "../../src/git/config-danger.ts";
import { formatGitConfig, parseGitConfig, type ConfigEntry } from "../../src/git/parse-config.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** What git itself makes of a file; nothing when it refuses it. */
function askGit(text: string): readonly (readonly [string, string | null])[] | null {
  const { status, stdout } = spawnSync("git", ["config", "--list", "--null", "--file", "-"], { input: toNative(text) });
  if (status !== 0) return null;
  return fromNative(stdout)
    .split("\0")
    .slice(0, -1)
    .map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return [key, value.length === 0 ? null : value.join("\n")] as const;
    });
}

/** Git before 2.45 makes blanks of them. */
function withBlanks(value: string | null): string | null {
  return value?.replaceAll(/[\t\r]/g, " ") ?? null;
}

/** Whole lines as people write them, so that git takes most files, and pieces in which readers go wrong. */
const whole = [
  "[core]\n",
  '[Remote "a.b"]\n',
  "[a.b]\r\n",
  '[x "q\\"\\\\z"]',
  "[a]",
  "[]",
  "[.]",
  '[ "s"]',
  '[core\r"u\u2028"]',
  '[remote "o.uploadpack\0"]',
  '[alias "st\0x"]',
  "fsMonitor\n",
  "a-b = value\n",
  "name = x # c\n",
  'n1="quo ted" ;c\r\n',
  "n = a\\\n b\n",
  "n = a\\\r\n\tb\n",
  "n = !sh -c 'x'\n",
  "n = a\0b\n",
  "n = a\rb\r\n",
  "n = \u2028a\u00a0\u0085\n",
  "n = \udcff\n",
  'n = \\t\\b\\n\\\\\\"\n',
  'n = "a # b"  \n',
  "n = a\tb\v\n",
  "n=\n",
  "# c\n",
  "; c \\\n",
  "\n",
  " \t",
];
const parts = [
  '"',
  "\\",
  "\\\n",
  "\\x",
  "]",
  "[",
  "=",
  "#",
  "\n",
  "\r",
  "\0",
  "\ufeff",
  "\u2028",
  "\v",
  "1a",
  "n",
  "\udcff",
  "é",
];
/** Simple ones first: it is towards these that a failure shrinks. */
const texts = fc
  .tuple(
    fc.constantFrom("", "[s]\n", "[s]\n", "\ufeff[s]"),
    fc.array(fc.constantFrom(...whole), { maxLength: 8 }),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom(...parts)), { freq: 1, nil: null }),
  )
  .map(([start, lines, flaw]) => {
    const text = start + lines.join("");
    if (flaw === null) return text;
    const place = flaw[0] % (text.length + 1);
    return text.slice(0, place) + flaw[1] + text.slice(place);
  });

describe.skipIf(!hasGit)("a git configuration", () => {
  it("is read as git reads it, byte for byte", () => {
    let accepted = 0;
    const runs = 150;
    fc.assert(
      fc.property(texts, (text) => {
        const theirs = askGit(text);
        if (theirs !== null) accepted += 1;
        const ours = parseGitConfig(text)?.map(({ key, value }) => [key, withBlanks(value)]) ?? null;
        expect(ours).toEqual(theirs?.map(([key, value]) => [key, withBlanks(value)]) ?? null);
      }),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThan(runs / 2);
  });

  it("means the same to git when it is written again", () => {
    const value = fc
      .string({ unit: fc.constantFrom("a", " ", '"', "\\", "#", ";", "\n", "\t", "é", "=") })
      .map((part) => `x${part}x`);
    fc.assert(
      fc.property(
        fc.array(fc.record({ subsection: fc.option(fc.constantFrom("a", 'b"c', "d\\e"), { nil: null }), value })),
        (rows) => {
          const entries = rows.map((row, index): ConfigEntry => ({ key: "", section: "s", name: `n${index}`, ...row }));
          expect(askGit(formatGitConfig(entries))).toEqual(
            entries.map(({ subsection, name, value: text_ }) => [
              ["s", subsection, name].filter(Boolean).join("."),
              text_,
            ]),
          );
        },
      ),
      { numRuns: 20 },
    );
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
