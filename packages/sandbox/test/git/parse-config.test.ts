import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDangerous } from "../../src/git/config-danger.ts";
import { formatGitConfig, parseGitConfig, type ConfigEntry } from "../../src/git/parse-config.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** What git itself makes of a file; nothing when it refuses it. */
function askGit(text: string): readonly (readonly [string, string | null])[] | null {
  const { status, stdout } = spawnSync("git", ["config", "--list", "--null", "--file", "-"], {
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) return null;
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return [key, value.length === 0 ? null : value.join("\n")] as const;
    });
}

function summarise(entries: readonly ConfigEntry[] | null) {
  return entries?.map(({ key, value }) => [key, value?.trim()]);
}

const texts = [
  "[core]",
  '[Remote "a.b"]',
  "[a.b]",
  '[x "q\\"\\\\z"]',
  "\n",
  "\n",
  "\n\t",
  "\r\n",
  " ",
  "name",
  "fsMonitor",
  "=",
  " = ",
  "value",
  '"quo ted"',
  '"',
  "\\\n",
  "\\\\",
  "\\t",
  '\\"',
  "\\x",
  "#c",
  ";c",
  "true",
  "!sh -c 'x'",
  "a-b",
  "1a",
  "[",
  "]",
];

describe.skipIf(!hasGit)("a git configuration", () => {
  it("is read as git reads it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...texts), { maxLength: 14 }), (pieces) => {
        const text = `[s]\n${pieces.join("")}\n`;
        const ours = summarise(parseGitConfig(text));
        const theirs = askGit(text)?.map(([key, value]) => [key, value?.trim()]);
        // What we refuse is put aside whole, so we may refuse more; never less, and never read anything else.
        expect(ours === undefined ? theirs : ours).toEqual(theirs);
      }),
      { numRuns: 60 },
    );
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
