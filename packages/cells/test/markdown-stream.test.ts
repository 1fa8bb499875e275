import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Libraries, loadLibraries, renderMarkdown } from "@unroll/cells";
import { openShown, said, say, type TestThread, toTexts } from "./shown.ts";

const numRuns = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 40);

const pieces = [
  "Some *words* and **strong ones**, `code`, ~~gone~~.",
  "# A heading",
  "Title\n===",
  "- one\n- two\n  more of two\n  - inner\n\n    further",
  "1. first\n2. second\n\n3. third",
  "- [x] done\n- [ ] open",
  "```ts\nconst a = 1;\n\n- no list\n```",
  "~~~\n```\nnot the end",
  "1. step:\n   ```sh\n   npm i\n   ```",
  "> quoted\n> more\nlazy",
  "| a | b |\n|---|--:|\n| x | 12 |\n| one | two | three |",
  "<details>\n<summary>more</summary>\n\ninside</details>",
  '[name](https://example.org/x "title") and <https://example.org>, ![picture](a.png)',
  "[ref]: https://example.org/ref\n\nSee [ref] and [that][ref].",
  "    indented code",
  "---",
  "a &lt; b &amp;&amp; c, 5 * 3 * 2, snake_case_name, \\*kept\\*",
  "tab\there\r\nand \u001b[31mred\u001b[0m",
];
const separators = ["\n\n", "\n", "\n\n\n", " "];
const document = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...separators)), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(""));
const anything = fc.string({
  unit: fc.constantFrom(...Array.from("ab1 \n\n\t*_`~#->|[]()!<:&;.+=\\x")),
  maxLength: 120,
});
const text = fc.oneof(document, anything);

let libraries: Libraries;
beforeAll(async () => {
  libraries = await loadLibraries();
});

function countLetters(line: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [letter] of line.matchAll(/[a-z0-9]/gi)) counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
}

/** Words that are marks, and so may go. */
function withoutMarks(source: string): string {
  return source
    .replaceAll("\u001b[31m", "")
    .replaceAll("\u001b[0m", "")
    .replaceAll(/&(?:lt|amp);/g, "")
    .replaceAll(/\[x\]/g, "")
    .replaceAll(/(?:`{3,}|~{3,})(?:ts|sh)/g, "");
}

/** Much is given a little at a time. */
function playAll(thread: TestThread, answer: string): readonly string[] {
  const lines = [...thread.play(said(answer))];
  while (thread.shown.hasMore) lines.push(...toTexts(thread.shown.takeLines(79)));
  return lines;
}

describe("an answer", () => {
  test("gives the same finished lines in whatever pieces it comes", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }), (answer, steps) => {
        const whole = playAll(openShown(libraries), answer);
        const thread = openShown(libraries);
        const lines: string[] = [];
        for (let at = 0, step = 0; at < answer.length; step += 1) {
          const next = at + 1 + (steps[step % steps.length] ?? 0);
          lines.push(...thread.play(say(answer.slice(at, next))));
          thread.live();
          at = next;
        }
        lines.push(...playAll(thread, answer));
        expect(lines).toEqual(whole);
        expect(lines).toEqual(toTexts(renderMarkdown(answer, { ...libraries, columns: 79 })));
      }),
      { numRuns },
    );
  });

  test("keeps each letter and digit, as often as it was written", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(20, 79), (answer, columns) => {
        const lines = toTexts(renderMarkdown(answer, { ...libraries, columns }));
        const shown = countLetters(lines.join("\n"));
        for (const [letter, count] of Object.entries(countLetters(withoutMarks(answer))))
          expect([letter, (shown[letter] ?? 0) >= count]).toEqual([letter, true]);
      }),
      { numRuns },
    );
  });
});
