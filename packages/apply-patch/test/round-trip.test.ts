import { createMemoryPatchFiles } from "@unroll/apply-patch";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyText, updatePatch } from "./apply-text.ts";

interface Line {
  readonly text: string;
  readonly ending: string;
}
/** The edit at one line of the file: the lines added before it, and whether the line is removed. */
interface Edit {
  readonly added: readonly string[];
  readonly isRemoved: boolean;
}
interface Scenario {
  readonly bom: boolean;
  readonly lines: readonly Line[];
  /** One for each line, and one for the end of the file. */
  readonly edits: readonly Edit[];
  readonly hasFinalNewline: boolean;
}

const noEdit: Edit = { added: [], isRemoved: false };
const text = fc.oneof(
  fc.constantFrom(
    "",
    "}",
    "  }",
    "return;",
    "\treturn;",
    "a",
    "@@ x",
    "*** End Patch",
    "*** Delete File: f",
    "-b",
    "\u2014",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((value) => value.replace(/[\r\n\uFEFF]/g, "")),
);
const lineCount = 25;
const scenario: fc.Arbitrary<Scenario> = fc.record({
  bom: fc.boolean(),
  lines: fc.array(fc.record({ text, ending: fc.constantFrom("\n", "\r\n") }), { minLength: 1, maxLength: lineCount }),
  edits: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(noEdit) },
      { weight: 2, arbitrary: fc.record({ added: fc.array(text, { maxLength: 3 }), isRemoved: fc.boolean() }) },
    ),
    { minLength: lineCount + 1, maxLength: lineCount + 1 },
  ),
  hasFinalNewline: fc.boolean(),
});

test("a patch that holds the whole file applies exactly, whatever repeats in it", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      expect(await editedFile(given, wholeHunk(given))).toEqual(expectedFile(given));
    }),
    { numRuns: 500 },
  );
});

test("hunks with any amount of context apply exactly where the lines of the file are not alike", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 1, max: 5 }), async (drawn, context) => {
      const lines = drawn.lines.map((line, index) => ({ ...line, text: `${index}: ${line.text}` }));
      const given = { ...drawn, lines };
      const hunks = hunkRanges(given, context).flatMap(([first, end]) => ["@@", ...patchLines(given, first, end)]);
      fc.pre(hunks.length > 0);
      expect(await editedFile(given, hunks)).toEqual(expectedFile(given));
    }),
    { numRuns: 500 },
  );
});

test("a file with one kind of line ending keeps to it", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.constantFrom("\n", "\r\n"), async (drawn, ending) => {
      const given = { ...drawn, lines: drawn.lines.map((line) => ({ ...line, ending })), hasFinalNewline: true };
      const { lines } = splitFile(await applyHunks(given, wholeHunk(given)));
      expect(lines.filter((line) => line.ending !== ending)).toEqual([]);
    }),
  );
});

function wholeHunk(given: Scenario): string[] {
  return ["@@", ...patchLines(given, 0, given.lines.length)];
}

/** The patch lines for the file's lines from `first` up to `end`, with what comes in before each, and at the very end. */
function patchLines({ lines, edits }: Scenario, first: number, end: number): string[] {
  const atEnd = end === lines.length ? (edits[end]?.added ?? []) : [];
  const within = lines.slice(first, end).flatMap((line, offset) => {
    const { added, isRemoved } = edits[first + offset] ?? noEdit;
    return [...added.map((value) => `+${value}`), `${isRemoved ? "-" : " "}${line.text}`];
  });
  return [...within, ...atEnd.map((value) => `+${value}`)];
}

/** The stretches of the file that changes with their context cover, those that touch made one. */
function hunkRanges({ lines, edits }: Scenario, context: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (let index = 0; index <= lines.length; index++) {
    const { added, isRemoved } = edits[index] ?? noEdit;
    if (added.length === 0 && (!isRemoved || index === lines.length)) continue;
    const [first, end] = [Math.max(0, index - context), Math.min(lines.length, index + context)];
    const last = ranges.at(-1);
    if (last !== undefined && first <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([first, end]);
  }
  return ranges;
}

interface SplitFile {
  readonly bom: boolean;
  readonly lines: readonly Line[];
}

/** The edited file, except for the endings of added lines, which have their own law. */
async function editedFile(given: Scenario, hunks: readonly string[]): Promise<SplitFile> {
  const { bom, lines } = splitFile(await applyHunks(given, hunks));
  const expected = expectedFile(given).lines;
  return { bom, lines: lines.map((line, at) => (expected[at]?.ending === "any" ? { ...line, ending: "any" } : line)) };
}

async function applyHunks(given: Scenario, hunks: readonly string[]): Promise<string> {
  const body = given.lines.map((line) => line.text + line.ending).join("");
  const file = (given.bom ? "\uFEFF" : "") + (endsInNewline(given) ? body : body.replace(/\r?\n$/, ""));
  const files = createMemoryPatchFiles({ "/project/f": file });
  const result = await applyText(updatePatch("f", ...hunks), files);
  if (result.type === "patch.failed") throw new Error(result.message);
  return files.texts()["/project/f"] ?? "";
}

/** An empty last line without a newline does not count as a line. */
function endsInNewline({ lines, hasFinalNewline }: Scenario): boolean {
  return hasFinalNewline || lines.at(-1)?.text === "";
}

/** The file that the edits describe. The ending `any` stands for that of an added line. */
function expectedFile(given: Scenario): SplitFile {
  const { bom, lines, edits } = given;
  const added = (index: number) => (edits[index]?.added ?? []).map((value) => ({ text: value, ending: "any" }));
  const kept = lines.flatMap((line, index) => {
    const ending = index === lines.length - 1 && !endsInNewline(given) ? "any" : line.ending;
    return [...added(index), ...(edits[index]?.isRemoved ? [] : [{ ...line, ending }])];
  });
  const all = [...kept, ...added(lines.length)];
  const last = all.at(-1);
  if (endsInNewline(given) || last === undefined) return { bom, lines: all };
  return { bom, lines: [...all.slice(0, -1), ...(last.text === "" ? [] : [{ ...last, ending: "" }])] };
}

function splitFile(content: string): SplitFile {
  const lines = content.replace(/^\uFEFF/, "").matchAll(/([^\n]*?)(\r?\n|$)/g);
  return {
    bom: content.startsWith("\uFEFF"),
    lines: [...lines].filter(([whole]) => whole !== "").map(([, value = "", ending = ""]) => ({ text: value, ending })),
  };
}
