import { expect, test } from "vitest";
import {
  type Choice,
  openChoice,
  pasteIntoChoice,
  pressChoice,
  renderChoice,
  showChoice,
  toRowText,
  toStyledLines,
} from "@unroll/screen";

const options = [
  { id: "once", key: "y", label: "yes" },
  { id: "prefix", key: "p", label: "always for", field: { text: "git push" } },
  { id: "no", key: "n", label: "no", detail: "the agent goes on without it" },
  {
    id: "tell",
    key: null,
    label: "no, and tell it what to do",
    field: { text: "", placeholder: "what to do instead" },
  },
];
const question = toStyledLines("git push --force\nasks: rule `git push`", { wrap: "words" });

function press(choice: Choice, name: string, at: number) {
  return pressChoice(choice, toKey(name), { at, room: { columns: 60, maxRows: 8 }, isBurst: false });
}

function toKey(name: string) {
  return { type: "key", name, text: name.length === 1 ? name : null } as const;
}

/** The dialog after keys that come long after it was shown. */
function pressAll(names: readonly string[], from: Choice = showChoice(openChoice(question, options), 0)) {
  let step: ReturnType<typeof press> = { choice: from, effect: null };
  for (const name of names) step = press(step.choice, name, 10_000);
  return step;
}

function rows(choice: Choice, room = { columns: 60, maxRows: 12 }) {
  const { rows: shown, cursor } = renderChoice(choice, room);
  return { rows: shown.map(toRowText), cursor };
}

test("a key answers, and so do arrows and enter", () => {
  expect(pressAll(["y"]).effect).toEqual({ type: "answered", answer: { id: "once", text: null } });
  expect(pressAll(["down", "down", "enter"]).effect).toEqual({ type: "answered", answer: { id: "no", text: null } });
  expect(pressAll(["up", "up", "enter"]).effect).toEqual({ type: "answered", answer: { id: "no", text: null } });
  expect(pressAll(["x"]).effect).toEqual({ type: "unhandled" });
  expect(pressAll(["escape"]).effect).toEqual({ type: "unhandled" });
});

test("keys that come at once move and write, but choose and allow nothing, nor do those right behind them", () => {
  const allowed = { id: "always", key: "a", label: "always", field: { text: "echo" }, isConsent: true as const };
  const open = showChoice(openChoice(question, [...options, allowed]), 0);
  const burst = (from: Choice, ...names: readonly string[]) =>
    names.reduce<ReturnType<typeof press>>(
      (step, name) =>
        pressChoice(step.choice, toKey(name), { at: 10_000, room: { columns: 60, maxRows: 8 }, isBurst: true }),
      {
        choice: from,
        effect: null,
      },
    );
  for (const name of ["y", "n", "p", "enter"]) expect(burst(open, name).effect).toEqual({ type: "ignored" });
  expect(pressAll(["y"], burst(open, "x").choice).effect).toEqual({ type: "ignored" });
  expect(burst(open, "down", "down", "down").choice.selected).toBe(3);
  expect(burst(open, "escape").effect).toEqual({ type: "unhandled" });
  const told = burst(pressAll(["down", "down", "down", "enter"], open).choice, "n", "o", "enter");
  expect(told.effect).toEqual({ type: "answered", answer: { id: "tell", text: "no" } });
  const prefix = burst(pressAll(["a"], open).choice, "x", "enter");
  expect([prefix.effect, prefix.choice.fields["always"]?.text]).toEqual([{ type: "ignored" }, "echox"]);
});

test("what allows something is only taken once the question was shown to its end: the key shows the next page", () => {
  const hidden = toStyledLines(`echo ok\n${"\n".repeat(20)}touch outside`, { wrap: "verbatim" });
  const answers = [
    { id: "yes", key: "y", label: "yes", isConsent: true as const },
    { id: "always", key: "a", label: "always", field: { text: "echo" }, isConsent: true as const },
    { id: "no", key: "n", label: "no" },
  ];
  const shown = showChoice(openChoice(hidden, answers), 0);
  expect(pressAll(["n"], shown).effect).toEqual({ type: "answered", answer: { id: "no", text: null } });
  expect(pressAll(["y"], shown).effect).toBeNull();
  for (const name of ["y", "enter"]) {
    let step = press(shown, name, 10_000);
    let presses = 1;
    for (; step.effect?.type !== "answered"; presses += 1) {
      expect(rows(step.choice, { columns: 60, maxRows: 8 }).rows.some((row) => row.startsWith("…"))).toBe(true);
      step = press(step.choice, name, 10_000 * (presses + 1));
    }
    expect(step.effect.answer.id).toBe("yes");
    expect(presses).toBeGreaterThan(4);
  }
  const writing = press(press(shown, "a", 10_000).choice, "enter", 20_000);
  expect(writing.effect).toBeNull();
  const read = pressAll(
    Array.from({ length: 9 }, () => "pagedown"),
    shown,
  ).choice;
  expect(pressAll(["pageup", "y"], read).effect).toEqual({ type: "answered", answer: { id: "yes", text: null } });
});

test("Home and End scroll a long question, and / finds a line in it, from its end on from its start", () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}${at % 1000 === 499 ? " has Tea" : ""}`);
  const long = showChoice(openChoice(toStyledLines(lines.join("\n"), { wrap: "verbatim" }), options), 0);
  const top = (choice: Choice): string | undefined => rows(choice).rows[0];
  expect(top(pressAll(["end"], long).choice)).toBe("line 2994");
  expect(top(pressAll(["end", "home"], long).choice)).toBe("line 1");
  const search = ["/", "t", "e", "a"];
  const typing = pressAll(search, long).choice;
  expect(rows(typing)).toMatchObject({ cursor: { row: 7, column: 4 } });
  expect(rows(typing).rows[7]).toBe("/tea");
  const again = ["/", "enter"];
  const tops = [[], again, [...again, ...again], [...again, ...again, ...again]].map((more) =>
    top(pressAll([...search, "enter", ...more], long).choice),
  );
  expect(tops).toEqual(["line 500 has Tea", "line 1500 has Tea", "line 2500 has Tea", "line 500 has Tea"]);
  const missed = pressAll(["/", "x", "y", "enter"], long);
  expect(rows(missed.choice).rows[7]).toBe("not found: xy");
  expect([missed.effect, pressAll(["/", "y"], long).effect, pressAll(["/", "escape", "n"], long).effect]).toEqual([
    null,
    null,
    { type: "answered", answer: { id: "no", text: null } },
  ]);
  expect(rows(pasteIntoChoice(pressAll(["/"], long).choice, "line 77")).rows[7]).toBe("/line 77");
});

test("keys that were typed before a dialog appeared, or while it appears, do not answer it", () => {
  const unseen = openChoice(question, options);
  expect(press(unseen, "y", 5_000)).toEqual({ choice: unseen, effect: { type: "ignored" } });
  let choice = showChoice(unseen, 1_000);
  for (const [name, at] of [
    ["y", 1_010],
    ["enter", 1_300],
    ["y", 1_600],
    ["escape", 1_900],
  ] as const) {
    const step = press(choice, name, at);
    expect(step.effect).toEqual({ type: "ignored" });
    choice = step.choice;
  }
  expect(press(choice, "y", 2_250).effect).toEqual({ type: "answered", answer: { id: "once", text: null } });
});

test("words that are typed at a question answer nothing, whatever keys are among them", () => {
  let step: ReturnType<typeof press> = { choice: showChoice(openChoice(question, options), 0), effect: null };
  for (const [index, name] of ["f", "i", "x", "space", "y", "enter"].entries())
    step = press(step.choice, name, 10_000 + index * 150);
  expect(step.effect).toEqual({ type: "ignored" });
  expect(press(step.choice, "y", 12_000).effect).toEqual({ type: "answered", answer: { id: "once", text: null } });
});

test("a text is written with the answer, and can be changed before", () => {
  const writing = pressAll(["p", "backspace", "alt+backspace", "x"]).choice;
  expect(rows(writing)).toEqual({
    rows: [
      "git push --force",
      "asks: rule `git push`",
      "  y  yes",
      "› p  always for: git x",
      "  n  no  the agent goes on without it",
      "  no, and tell it what to do",
    ],
    cursor: { row: 3, column: 22 },
  });
  expect(pressAll(["enter"], writing).effect).toEqual({ type: "answered", answer: { id: "prefix", text: "git x" } });
  expect(pressAll(["escape", "y"], writing).effect).toEqual({ type: "answered", answer: { id: "once", text: null } });
  expect([pressAll(["p", "escape"]), pressAll(["escape"], writing)].map(({ choice }) => rows(choice).rows[3])).toEqual([
    "› p  always for", // the label shows the field's initial text
    "› p  always for: git x",
  ]);
  const told = pasteIntoChoice(pressAll(["up", "enter"]).choice, "use\n  a branch");
  expect(pressAll(["enter"], told).effect).toEqual({ type: "answered", answer: { id: "tell", text: "use a branch" } });
  expect(rows(pressAll(["up", "enter"]).choice).rows.at(-1)).toBe("› no, and tell it what to do: what to do instead");
});

test("a question that is longer than the room is scrolled; the answers are always seen", () => {
  const long = openChoice(
    toStyledLines(Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n"), { wrap: "verbatim" }),
    options,
  );
  const first = pressAll([], showChoice(long, 0)).choice;
  expect(rows(first, { columns: 60, maxRows: 8 }).rows.slice(0, 5)).toEqual([
    "line 0",
    "line 1",
    "line 2",
    "… 27 more rows (Page Down, End, / to search)",
    "› y  yes",
  ]);
  const hint = (columns: number): string | undefined =>
    rows(first, { columns, maxRows: 8 }).rows.find((row) => row.startsWith("…"));
  expect([hint(40), hint(30)]).toEqual(["… 27 more rows (Page Down, End)", "… 26 more rows (Page Down)"]);
  const top = (names: readonly string[]): string | undefined =>
    rows(pressAll(names, first).choice, { columns: 60, maxRows: 8 }).rows[0];
  // A row of the page before stays in sight.
  expect([top(["pagedown"]), top(["pagedown", "pagedown"])]).toEqual(["line 2", "line 4"]);
  const past = Array.from({ length: 20 }, () => "pagedown");
  const last = pressAll(past, first).choice;
  expect(rows(last, { columns: 60, maxRows: 8 }).rows.slice(0, 4)).toEqual([
    "line 27",
    "line 28",
    "line 29",
    "… the end (Page Up, Home)",
  ]);
  expect([top([...past, "pageup"]), top(["pageup"])]).toEqual(["line 25", "line 0"]);
});

test("in a window with hardly any rows there is one of the question and one of the answers, and both can be gone through", () => {
  const open = showChoice(openChoice(question, options), 0);
  const room = { columns: 20, maxRows: 3 };
  const seen = (choice: Choice): readonly string[] => rows(choice, room).rows;
  expect(seen(open)).toEqual(["git push --force", "… 2 more rows", "› y  yes  1 of 4"]);
  const page = { type: "key", name: "pagedown", text: null } as const;
  const further = pressChoice(open, page, { at: 10_000, room, isBurst: false }).choice;
  expect(seen(further)).toEqual(["asks: rule `git", "… 1 more row", "› y  yes  1 of 4"]);
  expect(seen(pressAll(["up", "up"], further).choice).at(-1)).toBe("› n  no  t…  3 of 4");
});

test("of many options those around the selected one are seen", () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ id: `t${index}`, key: null, label: `thread ${index}` }));
  const open = showChoice(openChoice(toStyledLines("Which?", { wrap: "words" }), many), 0);
  expect(rows(pressAll([], open).choice, { columns: 40, maxRows: 6 }).rows).toEqual([
    "Which?",
    "› thread 0",
    "  thread 1",
    "  thread 2",
    "  thread 3",
    "  1 to 4 of 50",
  ]);
  const further = pressAll(
    Array.from({ length: 20 }, () => "down"),
    open,
  );
  expect(rows(further.choice, { columns: 40, maxRows: 6 }).rows.slice(2)).toEqual([
    "  thread 19",
    "› thread 20",
    "  thread 21",
    "  19 to 22 of 50",
  ]);
  expect(pressAll(["up", "enter"], open).effect).toEqual({ type: "answered", answer: { id: "t49", text: null } });
});

test("Page Up, Page Down, Home and End go through options that do not all fit, also where there is room for one", () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `t${index}`, key: null, label: `thread ${index}` }));
  const walk = (way: "keys" | "search", maxRows: number): readonly (string | undefined)[] => {
    const room = { columns: 40, maxRows };
    let choice = showChoice(openChoice(toStyledLines("Which?", { wrap: "words" }), many, way), 0);
    return ["pagedown", "pagedown", "pageup", "end", "pagedown", "home", "pageup"].map((name) => {
      ({ choice } = pressChoice(choice, { type: "key", name, text: null }, { at: 10_000, room, isBurst: false }));
      return rows(choice, room).rows.find((row) => row.startsWith("›"));
    });
  };
  const seen = (at: readonly number[], more = ""): readonly string[] => at.map((each) => `› thread ${each}${more}`);
  expect(walk("keys", 6)).toEqual(seen([4, 8, 4, 11, 11, 0, 0]));
  expect(walk("search", 6)).toEqual(seen([4, 8, 4, 11, 11, 0, 0]));
  expect(walk("keys", 2)).toEqual([1, 2, 1, 11, 11, 0, 0].map((at) => `› thread ${at}  ${at + 1} of 12`));
});

test("an option that is longer than a row continues in the next one", () => {
  const [once] = options;
  const wordy = { id: "long", key: "l", label: "a long one", detail: "with more words than a row has room for" };
  expect(rows(openChoice([], [...(once ? [once] : []), wordy]), { columns: 30, maxRows: 12 }).rows).toEqual([
    "› y  yes",
    "  l  a long one  with more",
    "     words than a row has",
    "     room for",
  ]);
});

test("where there is only something to write, one writes at once, and of a secret only its length is seen", () => {
  const field = { text: "", placeholder: "paste it", isSecret: true } as const;
  const open = showChoice(openChoice([], [{ id: "key", key: "k", label: "key", field }]), 0);
  const written = pasteIntoChoice(pressAll(["x"], open).choice, "sk-\n1");
  expect(rows(written)).toEqual({ rows: ["› k  key: ••••••"], cursor: { row: 0, column: 16 } });
  expect(pressAll(["enter"], written).effect).toEqual({ type: "answered", answer: { id: "key", text: "xsk- 1" } });
  expect(pressAll(["escape"], written).effect).toEqual({ type: "unhandled" });
});

test("of a list that is searched, what is typed leaves the options that hold it", () => {
  const threads = ["mend the parser", "write docs", "parse dates"].map((label, at) => ({
    id: `t${at}`,
    key: null,
    label,
    detail: `${at} d ago`,
  }));
  const open = showChoice(openChoice(toStyledLines("Which?", { wrap: "words" }), threads, "search"), 0);
  const found = pressAll(["P", "a", "r", "s", "e", "down"], open).choice;
  expect(rows(found)).toEqual({
    rows: ["Which?", "  search: Parse", "  mend the parser  0 d ago", "› parse dates  2 d ago"],
    cursor: { row: 1, column: 15 },
  });
  expect(pressAll(["enter"], found).effect).toEqual({ type: "answered", answer: { id: "t2", text: null } });
  const none = pasteIntoChoice(found, "zzz");
  expect(rows(none).rows.slice(1)).toEqual(["  search: Parsezzz", "  no match"]);
  expect(pressAll(["enter"], none).effect).toBeNull();
  expect(rows(pressAll(["escape"], none).choice).rows).toHaveLength(5);
  expect(pressAll(["escape", "escape"], none).effect).toEqual({ type: "unhandled" });
});

const table = ["mend the parser", "write docs"].map((label, at) => ({
  id: `t${at}`,
  key: null,
  label,
  detail: "said once",
  columns: [`${at + 1} d ago`, "main", "12.0 kB"],
  about: [`turn ${at}`, "in ~/project"],
  ...(at === 1 && { refusal: "It is open elsewhere." }),
}));
const actions = [
  { id: "sort", action: "threads.sort", label: "sort", isOfOption: false },
  { id: "remove", action: "threads.delete", label: "delete", isOfOption: true },
] as const;
const listed = showChoice({ ...openChoice(toStyledLines("Which?", { wrap: "words" }), table, "search"), actions }, 0);

test("a narrow screen leaves out the last columns of a list, and a low one the facts about the selected option", () => {
  const seen = (columns: number, maxRows: number): readonly string[] => rows(listed, { columns, maxRows }).rows;
  expect(seen(61, 20)).toEqual([
    "Which?",
    "  search: ",
    "› mend the parser  said once          1 d ago  main  12.0 kB",
    "  write docs  said once               2 d ago  main  12.0 kB",
    "",
    "  turn 0",
    "  in ~/project",
    "  ^S sort  ^D delete",
  ]);
  expect(seen(50, 6)).toEqual([
    "Which?",
    "  search: ",
    "› mend the parser  said once        1 d ago  main",
    "  write docs  said once             2 d ago  main",
    "  ^S sort  ^D delete",
  ]);
  expect(seen(36, 4)).toEqual([
    "Which?",
    "  search:                    1 of 2",
    "› mend the parser  said o…  1 d ago",
    "  ^S sort  ^D delete",
  ]);
  const wide = table.map((option) => ({ ...option, columns: ["~/a/long/way/to/the/project", ...option.columns] }));
  const folders = { ...listed, options: wide };
  expect(rows(folders, { columns: 40, maxRows: 5 }).rows[2]).toBe("› mend the parser  said once    1 d ago");
  expect(seen(20, 12).slice(2, 4)).toEqual(["› mend the parser …", "  write docs  said…"]);
});

test("a key acts on the selected option of a list or on the list, and an option that is refused says why", () => {
  const act = (names: readonly string[]): unknown => pressAll(names, listed).effect;
  expect(act(["down", "ctrl+d"])).toEqual({ type: "acted", act: { id: "remove", option: "t1", search: "" } });
  expect(act(["d", "o", "c", "s", "ctrl+s"])).toEqual({
    type: "acted",
    act: { id: "sort", option: "t1", search: "docs" },
  });
  expect([act(["x", "y", "ctrl+d"]), act(["p", "r", "o", "j", "e", "c", "t", "down", "enter"])]).toEqual([null, null]);
  const refused = pressAll(["down", "enter"], listed).choice;
  expect(rows(refused).rows.slice(1, 4)).toEqual([
    "  search: ",
    "  It is open elsewhere.",
    "  mend the parser  said once         1 d ago  main  12.0 kB",
  ]);
  expect(rows(pressAll(["up"], refused).choice).rows[2]).toContain("› mend the parser");
  const burst = pressChoice(
    listed,
    { type: "key", name: "ctrl+d", text: null },
    {
      at: 10_000,
      room: { columns: 60, maxRows: 8 },
      isBurst: true,
    },
  );
  expect(burst.effect).toEqual({ type: "ignored" });
});
