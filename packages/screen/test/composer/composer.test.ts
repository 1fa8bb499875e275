import { expect, test } from "vitest";
import {
  attachPiece,
  type Candidate,
  clearText,
  type Composer,
  type ComposerContext,
  createKeyParser,
  emptyComposer,
  findCandidateQuery,
  offerCandidates,
  pasteText,
  pressKey,
  expandDraft,
  renderComposer,
  replaceDraft,
  replaceText,
  submit,
  toRowText,
  toSubmission,
  unfoldPaste,
} from "@unroll/screen";

const context: ComposerContext = { columns: 40, maxRows: 6, history: [] };
const toHistory = (texts: readonly string[]) => texts.map((text) => ({ text, images: [] }));

/** The composer after these keys: text is typed, `<name>` is a key by its name. */
function type(keys: string, from: Composer = emptyComposer, around: ComposerContext = context): Composer {
  return steps(keys, from, around).at(-1)?.composer ?? from;
}

function steps(keys: string, from: Composer = emptyComposer, around: ComposerContext = context) {
  const events = keys
    .split(/(<[^>]+>)/)
    .filter((piece) => piece !== "")
    .flatMap((piece) => {
      const name = /^<(.+)>$/.exec(piece)?.[1];
      return name === undefined
        ? createKeyParser().feed(new TextEncoder().encode(piece))
        : [{ type: "key" as const, name, text: null }];
    });
  let composer = from;
  return events.map((event) => {
    if (event.type !== "key") throw new Error("a key was expected");
    const step = pressKey(composer, event, around);
    composer = step.composer;
    return step;
  });
}

/** The composer with candidates for the word at its caret. */
function offer(composer: Composer, candidates: readonly Candidate[]): Composer {
  const query = findCandidateQuery(composer);
  if (query === null) throw new Error("there is nothing to complete");
  return offerCandidates(composer, query, candidates);
}

/** The text with a bar for the caret. */
function show({ text, caret }: Composer): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

test.each([
  ["ab<left>c", "ac|b"],
  ["one two<alt+left>X", "one X|two"],
  ["one two<ctrl+a>X<ctrl+e>Y", "Xone twoY|"],
  ["one two-three<alt+backspace>", "one two-|"],
  ["one two-three<ctrl+w>", "one |"],
  ["one two<ctrl+a><alt+d>", "| two"],
  ["one two<ctrl+a><ctrl+k><ctrl+y><ctrl+y>", "one twoone two|"],
  ["one two<ctrl+w><ctrl+w>x<ctrl+y>", "xone two|"],
  ["a<ctrl+u>b<ctrl+u><ctrl+y><alt+y>", "a|"],
  ["a<shift+enter>b<alt+enter>c<ctrl+j>", "a\nb\nc\n|"],
  ["a\\<enter>b", "a\nb|"],
  ["one<ctrl+j>two<ctrl+u><ctrl+u>", "one|"],
  ["one<ctrl+j>two<ctrl+home><ctrl+k><ctrl+k>", "|two"],
  ["👩‍👩‍👧é日<backspace><left><left>", "|👩‍👩‍👧é"],
  ["👩‍👩‍👧<backspace>", "|"],
  ["ab<left><delete><ctrl+d>", "a|"],
  ["one two<ctrl+_>", "|"],
  ["one<ctrl+w>two<ctrl+_><ctrl+_>", "one|"],
  ["one<ctrl+w>two<ctrl+_><ctrl+_><alt+_>", "|"],
  ["one<ctrl+c><ctrl+_>", "one|"],
])("%s writes %s", (keys, expected) => {
  expect(show(type(keys))).toBe(expected);
});

test("up and down move by the rows that are seen, and keep their column", () => {
  const composer = type(`${"word ".repeat(9)}<ctrl+j>日本語 and more<ctrl+j>x`);
  expect(renderComposer(composer, context).rows.map(toRowText)).toEqual([
    "› word word word word word word word ",
    "  word word ",
    "  日本語 and more",
    "  x",
  ]);
  const places = steps("<left><up><up><up><down><down>", type("<ctrl+e>", composer)).map(
    (step) => renderComposer(step.composer, context).cursor,
  );
  expect(places).toEqual([
    { row: 3, column: 2 },
    { row: 2, column: 2 },
    { row: 1, column: 2 },
    { row: 0, column: 2 },
    { row: 1, column: 2 },
    { row: 2, column: 2 },
  ]);
  const column = steps("<up><ctrl+e><up><up>", composer).map((step) => renderComposer(step.composer, context).cursor);
  expect(column.at(-1)).toEqual({ row: 0, column: 17 });
});

test("more rows than there is room for are scrolled, so that the caret is seen", () => {
  const composer = type(Array.from({ length: 20 }, (_, index) => `row ${index}`).join("<ctrl+j>"));
  const end = renderComposer(composer, context);
  expect(end.rows.map(toRowText)).toEqual(["  row 14", "  row 15", "  row 16", "  row 17", "  row 18", "  row 19"]);
  expect(end.cursor).toEqual({ row: 5, column: 8 });
  const start = renderComposer(type("<ctrl+home>", composer), context);
  expect(start.rows.map(toRowText)[0]).toBe("› row 0");
  expect(start.cursor).toEqual({ row: 0, column: 2 });
});

test("a long paste is folded to a label, which is one character, and sent in full", () => {
  const trace = Array.from({ length: 120 }, (_, index) => `  at line ${index}\tx`).join("\r\n");
  const composer = type(" now<left><left><left>", pasteText(type("fix: "), trace));
  expect(toRowText(renderComposer(composer, context).rows[0] ?? [])).toBe("› fix: [pasted 120 lines] now");
  expect(renderComposer(composer, context).cursor).toEqual({ row: 0, column: 26 });
  const { effect } = submit(composer);
  expect(effect).toEqual({
    type: "submitted",
    submission: {
      text: `fix: ${trace.replaceAll("\r\n", "\n").replaceAll("\t", "    ")} now`,
      images: [],
      isShell: false,
    },
  });
  expect(show(type("<left><backspace>", composer))).toBe("fix: | now");
  expect(pasteText(emptyComposer, "one\ntwo").text).toBe("one\ntwo");
});

test("a piece that was killed cannot be yanked into another message", () => {
  const killed = type("word<ctrl+w><ctrl+u>", pasteText(type("kept<ctrl+w>"), "line\n".repeat(20)));
  expect(type("<ctrl+y>", killed).pieces.size).toBe(1);
  expect(show(type("next<enter><ctrl+y>", killed))).toBe("kept|");
});

test("images are numbered as they stand, and go with the message", () => {
  let composer = attachPiece(type("see "), { type: "image", source: "/tmp/a.png" });
  composer = attachPiece(composer, { type: "image", source: "/tmp/b.png" });
  expect(toRowText(renderComposer(composer, context).rows[0] ?? [])).toBe("› see [image 1] [image 2] ");
  composer = type("<ctrl+a><alt+right><right><delete>", composer);
  expect(submit(composer).effect).toEqual({
    type: "submitted",
    submission: { text: "see  [image 1]", images: ["/tmp/b.png"], isShell: false },
  });
});

test("enter sends what is written, and nothing where nothing is; keys that mean nothing are for the outside", () => {
  expect(steps("hi <enter>").at(-1)).toEqual({
    composer: emptyComposer,
    effect: { type: "submitted", submission: { text: "hi", images: [], isShell: false } },
  });
  expect(steps("!ls -l<enter>").at(-1)?.effect).toEqual({
    type: "submitted",
    submission: { text: "ls -l", images: [], isShell: true },
  });
  expect(steps("  <enter>").at(-1)?.effect).toBe(null);
  for (const key of ["escape", "ctrl+c", "ctrl+d", "ctrl+g", "tab", "ctrl+t", "f1"]) {
    expect(steps(`<${key}>`).at(-1)).toEqual({ composer: emptyComposer, effect: { type: "unhandled" } });
  }
  expect(toRowText(renderComposer(emptyComposer, { ...context, placeholder: "say what to do" }).rows[0] ?? [])).toBe(
    "› say what to do",
  );
});

test("the history is gone through with up and down, and what was written comes back", () => {
  const around = { ...context, history: toHistory(["first", "second\nof two lines", "third"]) };
  const texts = steps("draft<up><up><up><up><down><down><down>", emptyComposer, around).map(
    (step) => step.composer.text,
  );
  expect(texts.slice(5)).toEqual([
    "third",
    "second\nof two lines",
    "first",
    "first",
    "second\nof two lines",
    "third",
    "draft",
  ]);
  expect(show(type("draft<up>!", emptyComposer, around))).toBe("third!|");
});

test("^R searches what was sent, as it is typed", () => {
  const around = { ...context, history: toHistory(["git push", "cargo test", "git pull", "git pull"]) };
  const searching = type("draft<ctrl+r>git", emptyComposer, around);
  expect(show(searching)).toBe("|git pull");
  expect(renderComposer(searching, around)).toEqual({
    rows: [
      [{ text: "› ", roles: ["accent"] }, { text: "git pull" }],
      [{ text: "  search history: ", roles: ["muted"] }, { text: "git" }],
    ],
    cursor: { row: 1, column: 21 },
  });
  expect(type("<ctrl+r>", searching, around).text).toBe("git push");
  expect(type("<ctrl+r><ctrl+s>", searching, around).text).toBe("git pull");
  expect(show(type("<enter>!", searching, around))).toBe("!|git pull");
  expect(show(type("<escape>", searching, around))).toBe("draft|");
  expect(show(type("<enter><ctrl+_>", searching, around))).toBe("draft|");
  const missed = type("zz", searching, around);
  expect(toRowText(renderComposer(missed, around).rows.at(-1) ?? [])).toBe("  no match in history: gitzz");
  expect(show(type("<backspace><backspace>", missed, around))).toBe("|git pull");
});

test("a list of completions counts those out of sight, and shows no half sentence", () => {
  const candidates = Array.from({ length: 30 }, (_, at) => ({
    value: `command-${at + 10}`,
    argument: "[NAME]",
    detail: `does a thing of number ${at + 10}`,
  }));
  const list = (columns: number): readonly string[] =>
    renderComposer(offer(type("/"), candidates), { ...context, columns, maxRows: 5 })
      .rows.slice(1)
      .map(toRowText);
  expect(list(80).slice(0, 1)).toEqual(["  › /command-10  [NAME]  does a thing of number 10"]);
  expect(list(45).slice(0, 1)).toEqual(["  › /command-10  does a thing of number 10"]);
  expect(list(30)).toEqual([
    ...[10, 11, 12, 13, 14].map((number) => `${number === 10 ? "  › " : "    "}/command-${number}`),
    "    does a thing of number 10",
    "    1 to 5 of 30",
  ]);
});

test("a file name with blanks is quoted, and a quoted one is completed as far as its end", () => {
  const named = offer(type("look at @my"), [{ value: "my dir/" }, { value: "my file" }]);
  const folder = type("<tab>", named);
  expect(show(folder)).toBe('look at @"my dir/|');
  expect(findCandidateQuery(folder)).toEqual({ kind: "file", query: "my dir/", start: 8 });
  expect(show(type("<tab>", offer(folder, [{ value: "my dir/a b.txt" }])))).toBe('look at @"my dir/a b.txt" |');
  expect(show(type("<down><tab>", named))).toBe('look at @"my file" |');
  expect(findCandidateQuery(type('@"my d'))).toEqual({ kind: "file", query: "my d", start: 0 });
  expect(findCandidateQuery(type('@"my dir/file" and'))).toBe(null);
});

test("@ and / ask for candidates, which are chosen by arrows, tab and enter", () => {
  let composer = type("look at @src/m");
  const query = findCandidateQuery(composer);
  expect(query).toEqual({ kind: "file", query: "src/m", start: 8 });
  composer = offer(composer, [{ value: "src/main.ts" }, { value: "src/more/" }]);
  expect(renderComposer(composer, context).rows.map(toRowText)).toEqual([
    "› look at @src/m",
    "  › src/main.ts",
    "    src/more/",
  ]);
  expect(show(type("<tab>", composer))).toBe("look at @src/main.ts |");
  expect(show(type("<down><enter>", composer))).toBe("look at @src/more/|");
  expect(findCandidateQuery(type("<down><enter>", composer))).toEqual({ kind: "file", query: "src/more/", start: 8 });
  const dismissed = type("<escape>a", composer);
  expect([dismissed.popup, findCandidateQuery(dismissed)]).toEqual([null, null]);
  expect(findCandidateQuery(type(" @x", dismissed))).toEqual({ kind: "file", query: "x", start: 16 });
  expect(findCandidateQuery(type("mail a@b"))).toBe(null);
  expect(offerCandidates(type("other"), { kind: "file", query: "src/m", start: 8 }, [{ value: "late" }]).popup).toBe(
    null,
  );
});

test("Enter sends a command that is complete, and only writes another one", () => {
  const query = findCandidateQuery(type("/m"));
  expect(query).toEqual({ kind: "command", query: "m", start: 0 });
  const commands = [
    { value: "mcp", detail: "servers", isComplete: true },
    { value: "model", detail: "which one answers" },
  ];
  const composer = offer(type("/m"), commands);
  expect(renderComposer(composer, context).rows.map(toRowText)).toEqual([
    "› /m",
    "  › /mcp    servers",
    "    /model  which one answers",
  ]);
  expect(steps("<enter>", composer).at(-1)?.effect).toEqual({
    type: "submitted",
    submission: { text: "/mcp", images: [], isShell: false },
  });
  expect(show(type("<down><enter>", composer))).toBe("/model |");
  const whole = offerCandidates(type("/model"), { kind: "command", query: "model", start: 0 }, [
    { value: "model" },
    { value: "models" },
  ]);
  expect(steps("<enter>", whole).at(-1)?.effect).toEqual({
    type: "submitted",
    submission: { text: "/model", images: [], isShell: false },
  });
});

test("text from outside takes the place of the draft, which undo brings back; control characters stay out", () => {
  const composer = replaceText(type("draft"), "from\tthe\u001b[2J editor\r\n\ud800");
  expect(composer.text).toBe("from    the[2J editor\n\ufffd");
  expect(show(type("<ctrl+_>", composer))).toBe("draft|");
  expect(clearText(composer).text).toBe("");
});

test("a folded paste is shown in full by the key for it, the one before the caret first, and undo folds it again", () => {
  const long = "one\n".repeat(9);
  const first = pasteText(type("a"), long);
  const both = pasteText({ ...first, text: `${first.text} b `, caret: first.text.length + 3 }, "two\n".repeat(12));
  const unfolded = unfoldPaste(both);
  expect(unfolded?.text).toBe(`${first.text} b ${"two\n".repeat(12)}`);
  expect(unfolded?.caret).toBe(unfolded?.text.length);
  const all = unfolded && unfoldPaste(unfolded);
  expect(all?.text).toBe(`a${long} b ${"two\n".repeat(12)}`);
  expect(all && unfoldPaste(all)).toBe(null);
  expect(all && type("<ctrl+_>", all).text).toBe(unfolded?.text);
  expect(unfoldPaste({ ...first, caret: 0 })?.text).toBe(`a${long}`);
});

test("a draft that was edited elsewhere has its images again, except those whose label is gone", () => {
  const image = (source: string) => ({ type: "image", source }) as const;
  const composer = attachPiece(attachPiece(attachPiece(type("look "), image("a.png")), image("b.png")), image("c.png"));
  const { text, images } = expandDraft(composer);
  expect({ text, images }).toEqual({
    text: "look [image 1] [image 2] [image 3] ",
    images: ["a.png", "b.png", "c.png"],
  });
  const edited = replaceDraft(composer, [{ text: "first [image 3], then [image 1]\n[image 3] [image 9]", images }]);
  expect(toSubmission(edited)).toEqual({
    text: "first [image 1], then [image 2]\n[image 3] [image 9]",
    images: ["c.png", "a.png"],
    isShell: false,
  });
  const joined = replaceDraft(composer, [
    { text: "one [image 1]", images: ["x.png"] },
    { text: "two [image 1]", images: ["y.png"] },
  ]);
  expect(toSubmission(joined)).toMatchObject({ text: "one [image 1]\n\ntwo [image 2]", images: ["x.png", "y.png"] });
});
