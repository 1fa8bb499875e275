import { showExact } from "@unroll/text";
import { expect, test } from "vitest";

test.each([
  ["a variation selector", "rm\ufe0f x❤\ufe0f", "rm\\u{fe0f} x❤\\u{fe0f}"],
  ["an empty Braille pattern", "ls\u2800&&x", "ls\\u{2800}&&x"],
  [
    "spaces that are no plain ones",
    "a\u00a0b\u2003c\u3000d\u1680e\u202ff",
    "a\\u{a0}b\\u{2003}c\\u{3000}d\\u{1680}e\\u{202f}f",
  ],
  ["Cyrillic in a Latin word", "cu\u0433l \u0441url", "cu\\u{433}l \\u{441}url"],
  [
    "a word of nothing but Latin shapes",
    "./\u0441\u043e\u0440\u0443 \u0430",
    "./\\u{441}\\u{43e}\\u{440}\\u{443} \\u{430}",
  ],
  ["Greek in a Latin word", "pr\u03bfd", "pr\\u{3bf}d"],
  ["full width", "\uff52\uff4d x\uff1b", "\\u{ff52}\\u{ff4d} x\\u{ff1b}"],
  ["mathematical letters", "\u{1d5cb}m", "\\u{1d5cb}m"],
  [
    "signs that look like those of ASCII",
    "a\u2215b \u037e c\u01c0d \u2010x",
    "a\\u{2215}b \\u{37e} c\\u{1c0}d \\u{2010}x",
  ],
  ["dashes and quotes that are none to a shell", "rm \u2013rf \u201cx\u201d", "rm \\u{2013}rf \\u{201c}x\\u{201d}"],
  ["a mark of direction", "a\u202eb", "a\\u{202e}b"],
])("%s is written out", (_name, text, shown) => {
  expect(showExact(text)).toBe(shown);
});

test.each([
  "ls -la && echo 'plain'\n\tx",
  "cat отчёт.txt Ελλάδα.md 資料.txt ملف.txt café.txt naïve Größe",
  "ёлка мир привет",
])("words of any language stay: %j", (text) => {
  expect(showExact(text)).toBe(text);
});

test("a document keeps the dashes and quotes of its prose, and nothing else that looks like something else", () => {
  expect(showExact("\u201cyes\u201d \u2013 \u0441url\u00a0x", "document")).toBe(
    "\u201cyes\u201d \u2013 \\u{441}url\\u{a0}x",
  );
});
