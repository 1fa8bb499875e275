import { escapeHidden, removeEscapeSequences, showHidden, toPlainText, toShownText } from "@unroll/text";
import fc from "fast-check";
import { expect, test } from "vitest";

const esc = "\u001b";

test.each([
  ["colours and cursor moves", `${esc}[1;31mred${esc}[0m ${esc}[2J${esc}[?25l.`, "red ."],
  [
    "titles and links, ended by BEL, by ST and by the 8-bit ST",
    `a${esc}]0;t\u0007b${esc}]8;;u${esc}\\c${esc}]2;t\u009cd`,
    "abcd",
  ],
  [
    "device control and private strings",
    `a${esc}Pq#0${esc}\\b${esc}_app${esc}\\c${esc}^pm${esc}\\d${esc}Xsos${esc}\\e`,
    "abcde",
  ],
  ["8-bit forms", "a\u009b31mb\u009d0;t\u0007c\u0090q\u009cd", "abcd"],
  ["character sets and single escapes", `${esc}(B${esc}7a${esc}8${esc}c`, "a"],
  ["control characters but line feed and tab", "a\u0000\u0007\b\r\tb\n\u007fc\u0085\u009f", "a\tb\nc"],
  ["what is left of one that was cut off", `a${esc}[31`, "a31"],
])("%s are taken out", (_, text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test("a string that nobody ends hides nothing on other lines, and an 8-bit one nothing at all", () => {
  expect(toPlainText(`make lint #${esc}]\necho bad >> /etc/x\n#${esc}\\`)).toBe("make lint #\necho bad >> /etc/x\n#");
  expect(toPlainText("he said \u00e2\u0080\u009d, then left")).toBe("he said \u00e2, then left");
});

test("whatever the text is, no control character is left, and it stays the same the second time", () => {
  const unit = fc.constantFrom(esc, "[", "]", "P", "\\", "\u0007", "\u009b", "\u009d", "\u009c", "3", "m", "\n", "é");
  const property = fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
    const plain = toPlainText(text);
    expect(plain).toMatch(/^[\P{Cc}\n\t]*$/u);
    expect(toPlainText(plain)).toBe(plain);
    expect(plain.split("\n")).toHaveLength(text.split("\n").length);
    expect(removeEscapeSequences(text)).not.toContain(esc);
  });
  fc.assert(property, { numRuns: 1000 });
});

test("what cannot be seen is written out, and what can be seen is let be", () => {
  const cases = {
    "rm x\u202e y\u2066z\u2069": "rm x\\u{202e} y\\u{2066}z\\u{2069}",
    "a\u200bb\u200fc\u2060d\ufeffe\u00adf\u061cg": "a\\u{200b}b\\u{200f}c\\u{2060}d\\u{feff}e\\u{ad}f\\u{61c}g",
    "one\u2028two\u2029three\r\n\tfour": "one\\u{2028}two\\u{2029}three\\u{d}\n\tfour",
    [`${esc}]0;title\u0007\u009b2J\u007f`]: "\\u{1b}]0;title\\u{7}\\u{9b}2J\\u{7f}",
    "\u{e0041}\u3164\u17b4\u17b5\ud83d": "\\u{e0041}\\u{3164}\\u{17b4}\\u{17b5}\\u{d83d}",
    "für 日本 🙂 e\u0301 'a' \\u{20}": "für 日本 🙂 e\u0301 'a' \\u{20}",
  };
  expect(Object.keys(cases).map(showHidden)).toEqual(Object.values(cases));
});

test("shows a person what reverses or hides, and leaves what words and emoji are written with", () => {
  const shown = "\u{1F469}\u200D\u{1F4BB} \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u200Eab\n\tc";
  expect(toShownText(shown)).toBe(shown);
  expect(toShownText("\u001b[31ma\u202Eb\u200B\u2066\u{E0041}\u001b[0m\r")).toBe(
    "a\\u{202e}b\\u{200b}\\u{2066}\\u{e0041}",
  );
});

test("escapes invisible characters in JSON, and keeps the value", () => {
  const value = { "a\u202Eb": ["\u200B", "\u{E0041}", "\u009b", "plain\n\tä"] };
  const json = escapeHidden(JSON.stringify(value, null, 2));
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
  expect(json).toContain('"a\\u202eb"');
  expect(JSON.parse(json)).toEqual(value);
});
