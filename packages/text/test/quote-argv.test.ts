import { execFileSync } from "node:child_process";
import { quoteArgv, quoteWord } from "@unroll/text";
import fc from "fast-check";
import { expect, test } from "vitest";

test("plain words stay as they are, all others go into single quotes", () => {
  expect(quoteArgv(["git", "log", "--format=%H", "a b", "it's", "", "$HOME", "*"])).toBe(
    `git log --format=%H 'a b' 'it'\\''s' '' '$HOME' '*'`,
  );
  expect(["a/b.c:1,2@x+y", "~", "!", "#", "x\ny"].map(quoteWord)).toEqual([
    "a/b.c:1,2@x+y",
    "'~'",
    "'!'",
    "'#'",
    "'x\ny'",
  ]);
});

test("a shell reads back what was quoted, whatever it is", () => {
  const word = fc.string({
    unit: fc.constantFrom("a", "'", '"', "\\", "$", "`", " ", "\n", "*", "~", "=", "é"),
    maxLength: 8,
  });
  const property = fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (argv) => {
    const read = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${quoteArgv(argv)}`], { encoding: "utf8" });
    expect(read.split("\0").slice(0, -1)).toEqual(argv);
  });
  fc.assert(property, { numRuns: 30 });
});
