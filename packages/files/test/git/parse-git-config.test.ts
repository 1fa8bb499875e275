import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromNative, parseGitConfig, toNative } from "@unroll/files";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTemporaryFolder } from "../fixture/temporary-folder.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

type Variable = readonly [key: string, value: string | null];

/**
 * Git's own reading of each file; null if it refuses the file. One shell asks: a process of its own takes a test longer
 * than a shell.
 */
function askGit(texts: readonly string[]): readonly (readonly Variable[] | null)[] {
  using folder = openTemporaryFolder();
  texts.forEach((text, index) => writeFileSync(join(folder.path, `${index}`), toNative(text)));
  const script = `for file; do git config --list --null --file "$file" > "$file.read" 2> /dev/null || : > "$file.refused"; done`;
  const files = texts.map((_, index) => `${index}`);
  expect(spawnSync("sh", ["-c", script, "sh", ...files], { cwd: folder.path }).status).toBe(0);
  return files.map((file) => {
    if (existsSync(join(folder.path, `${file}.refused`))) return null;
    const entries = fromNative(readFileSync(join(folder.path, `${file}.read`)))
      .split("\0")
      .slice(0, -1);
    return entries.map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return [key, value.length === 0 ? null : value.join("\n")];
    });
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
    const asked = fc.sample(texts, 150);
    const theirs = askGit(asked).map((read) => read?.map(([key, value]) => [key, withBlanks(value)]) ?? null);
    const ours = asked.map((text) => parseGitConfig(text)?.map(({ key, value }) => [key, withBlanks(value)]) ?? null);
    expect(asked.map((text, index) => ({ text, read: ours[index] }))).toEqual(
      asked.map((text, index) => ({ text, read: theirs[index] })),
    );
    expect(theirs.filter((read) => read !== null).length).toBeGreaterThan(asked.length / 2);
  });
});
