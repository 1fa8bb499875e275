import { createMemoryPatchFiles, parsePatch, type ParseResult } from "@unroll/apply-patch";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyText, updatePatch, wholePatch } from "./apply-text.ts";

function failureOf(result: ParseResult): string {
  return result.type === "patch.failed" ? result.message : "parsed";
}

test.each([159, 160])("an error quotes a line that is cut after %i characters without half a character", (length) => {
  const line = `${"x".repeat(length)}🙂🙂`;
  const told = failureOf(parsePatch(wholePatch("*** Update File: a", "@@", " a", `?${line.slice(1)}`)));
  expect(told).toContain(`${"x".repeat(100)}`);
  expect(told.isWellFormed()).toBe(true);
});

test("every part of the format is read, with its line number", () => {
  const text = wholePatch(
    "*** Add File: a b.txt",
    "+one",
    "+",
    "*** Delete File: c",
    "*** Update File: d",
    "*** Move to: e",
    "@@ outer",
    "@@ inner",
    " kept",
    "",
    "-removed",
    "+added",
    "@@",
    "+last",
    "*** End of File",
  );
  expect(parsePatch(text)).toEqual({
    type: "patch.parsed",
    patch: {
      files: [
        { type: "file.add", path: "a b.txt", line: 2, lines: ["one", ""] },
        { type: "file.delete", path: "c", line: 5 },
        {
          type: "file.update",
          path: "d",
          line: 6,
          moveTo: "e",
          hunks: [
            {
              line: 8,
              anchors: ["outer", "inner"],
              lines: [
                { mark: " ", text: "kept" },
                { mark: " ", text: "" },
                { mark: "-", text: "removed" },
                { mark: "+", text: "added" },
              ],
              endOfFile: false,
            },
            { line: 14, anchors: [], lines: [{ mark: "+", text: "last" }], endOfFile: true },
          ],
        },
      ],
    },
  });
});

test.for([
  "<<EOF\n{}\nEOF",
  "<<'PATCH'\n\n{}\n\nPATCH\n",
  '<< "EOF"\n{}\nEOF',
  "apply_patch <<'EOF'\n{}\nEOF",
  "\n\n  {}  \n\n",
])("a wrapper around the patch is taken off: %j", (wrapper) => {
  const patch = wholePatch("*** Delete File: a");
  const result = parsePatch(wrapper.replace("{}", patch));
  expect(result.type === "patch.parsed" && result.patch.files.map((file) => file.path)).toEqual(["a"]);
});

test.for([
  ["", /^Line 1 .*found a blank line; expected `\*\*\* Begin Patch`/m],
  ["*** Begin Patch", /^Line 1 .*expected `\*\*\* End Patch` as the last line \(was the patch cut off\?\)/m],
  [wholePatch("*** Add File:"), /^Line 2 .*expected a path after the colon/m],
  [wholePatch("*** Add File: a\0b"), /^Line 2 .*found `\*\*\* Add File: a\\u\{0\}b`; expected a path/m],
  [wholePatch("*** Update File: a", "*** Move to:"), /^Line 3 .*expected a path after the colon/m],
  [updatePatch("a", "@@", "+b", "*** Move to: c"), /^Line 5 .*expected `\*\*\* Move to:` once, right after/m],
  [updatePatch("a", "*** End of File"), /^Line 3 .*expected the lines of a hunk before/m],
  [updatePatch("a", "@@", "+b", "*** End of File", "+c"), /^Line 6 .*expected `@@` or a new header/m],
  [updatePatch("a", "@@", "+b", "*** End Patch", "x"), /^Line 5 .*found `\*\*\* End Patch`/m],
  [wholePatch("+a"), /^Line 2 .*expected `\*\*\* Add File: <path>`/m],
  [wholePatch("*** Delete File: a", "+b"), /^Line 3 .*found `\+b`/m],
] as const)("an invalid patch is refused with its line: %j", ([text, message]) => {
  expect(failureOf(parsePatch(text))).toMatch(message);
});

test("a patch over the limit is refused unread", () => {
  const text = updatePatch("a", "@@", `+${"x".repeat(1000)}`);
  expect(parsePatch(text, text.length).type).toBe("patch.parsed");
  expect(parsePatch(text, text.length - 1)).toEqual({
    type: "patch.failed",
    problems: [{ type: "patch.malformed", line: 1, message: expect.any(String) }],
    message: expect.stringContaining(`has ${text.length} characters; at most ${text.length - 1} are taken`),
  });
});

const patchPiece = fc.oneof(
  fc.constantFrom("*** Begin Patch", "*** End Patch", "*** Add File: a", "*** Update File: f", "*** Delete File: f"),
  fc.constantFrom("*** Move to: f", "*** End of File", "@@", "@@ x", " x", "-x", "+x", "", "<<EOF", "EOF", "***"),
  fc.string({ unit: anyCharacter }),
);

test("whatever text is sent, nothing is thrown, the message is bounded, and a failure writes nothing", async () => {
  const text = fc.array(patchPiece, { maxLength: 30 }).map((lines) => lines.join("\n"));
  const wrapped = fc.oneof(
    text,
    text.map((body) => `*** Begin Patch\n${body}\n*** End Patch`),
  );
  await fc.assert(
    fc.asyncProperty(wrapped, async (patch) => {
      const before = { "/project/f": "x\ny\nx\n" };
      const files = createMemoryPatchFiles(before);
      const result = await applyText(patch, files);
      expect(result.type === "patch.applied" ? before : files.texts()).toEqual(before);
      expect(result.message.length).toBeLessThanOrEqual(8_000);
    }),
    { numRuns: 500 },
  );
});
