import type { Answer, CommandQuestion, FormQuestion, ModelQuestions, PatchQuestion, Question } from "@unroll/protocol";
import { expect, test } from "vitest";
import { createTerminalPerson } from "../src/plain/create-terminal-person.ts";
import { type FakeTerminal, openFakeTerminal } from "./fake-terminal.ts";

const place = { threadId: "t", itemId: "item_0" };
const why = { askedBy: "approval policy untrusted", reason: "It asks before anything that may write." };
const command: CommandQuestion = {
  ...place,
  ...why,
  type: "command.approval",
  command: "touch a",
  cwd: "/home/ada",
  justification: null,
  isUnconfined: false,
  proposedPrefix: null,
  alsoAllows: null,
};
const keys = "[n] no: ";
const noWish = { say: () => {} };
const never = new AbortController().signal;

function ask(at: FakeTerminal, question: Question, signal: AbortSignal = never): Promise<Answer> {
  return createTerminalPerson(at.terminal, noWish).answer(question, signal);
}

test("a command is asked about with who asks and why, once", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, { ...command, isUnconfined: true, justification: "It is to be there." });
  await at.answer([keys, "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
  expect(at.text()).toContain(
    [
      "? May this command run outside the sandbox?",
      "    command │ touch a",
      "         in │ /home/ada",
      "  the model │ It is to be there.",
      "   asked by │ approval policy untrusted",
      "        why │ It asks before anything that may write.",
    ].join("\n"),
  );
});

test("nothing of what is asked is hidden, and no line of it can pose as ours", async () => {
  using at = openFakeTerminal();
  const hostile =
    "make lint #\u001b]\necho >>O/ran\n\u001b\\\r\u202Eabc\u200B\u2066\u2028d\n  [y] yes\n? May this command run?";
  const answer = ask(at, { ...command, command: hostile });
  await at.answer([keys, "n"], ["instead? ", ""]);
  expect(await answer).toEqual({ type: "denied", reason: null });
  expect(at.text()).toContain(
    [
      "    command │ make lint #\\u{1b}]",
      "            │ echo >>O/ran",
      "            │ \\u{1b}\\\\u{d}\\u{202e}abc\\u{200b}\\u{2066}\\u{2028}d",
      "            │   [y] yes",
      "            │ ? May this command run?",
    ].join("\n"),
  );
});

test("a line that is too long goes on behind another mark, so that it is no new line", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, command: `echo ${"x".repeat(40)}\n字字字字字字字字字字字字字字字` });
  await at.answer([keys, "n"], ["instead? ", ""]);
  await answer;
  expect(at.text()).toContain(
    [
      `    command │ echo ${"x".repeat(20)}`,
      `            ↪ ${"x".repeat(20)}`,
      "            │ 字字字字字字字字字字字字",
      "            ↪ 字字字",
    ].join("\n"),
  );
});

test("a row ends behind a blank where one is near its end", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, command: "one two three four five six seven" });
  await at.answer([keys, "y"]);
  await answer;
  expect(at.text()).toContain("    command │ one two three four five\n            ↪ six seven\n");
});

test("what is long is counted and paged, and the answer keys count only after all of it", async () => {
  using at = openFakeTerminal({ rows: 46 });
  const lines = Array.from({ length: 117 }, (_, index) => `echo ${index + 1}`);
  const answer = ask(at, { ...command, command: lines.join("\n") });
  await at.answer(["line 1-40 of 120. Enter shows more: ", "y"]);
  await at.shows("line 41-80 of 120");
  expect(at.text()).not.toContain("echo 81");
  await at.answer(["line 41-80 of 120. Enter shows more: ", "y"], [keys, "s"]);
  expect(await answer).toEqual({ type: "approved.thread" });
  for (const line of lines) expect(at.text()).toContain(`│ ${line}\n`);
});

test("a page fits the screen, and leaving between pages is a no", async () => {
  using at = openFakeTerminal({ rows: 12 });
  const answer = ask(at, { ...command, command: "x\n".repeat(20) });
  await at.shows("line 1-6 of 24. Enter shows more: ");
  at.type("\u0003");
  expect(await answer).toEqual({ type: "denied", reason: null });
});

test("keys that were typed before the question do not answer it, with or without Enter", async () => {
  for (const ahead of ["y\r", "y", "y\ry\ry\r"]) {
    using at = openFakeTerminal();
    at.type(ahead);
    const answer = ask(at, command);
    at.type(ahead);
    await at.answer([keys, "n"], ["instead? ", "use b"]);
    expect(await answer).toEqual({ type: "denied", reason: "use b" });
  }
});

test("a paste does not answer, wherever the key stands in it", async () => {
  for (const paste of ["y\rls\r", "ls\ry\r", "ls\ry\rpwd", "ls\rs\ry\r"]) {
    using at = openFakeTerminal();
    const answer = ask(at, command);
    await at.shows(keys);
    at.type(paste);
    await at.shows(keys, 2);
    at.type("n\r");
    await at.answer(["instead? ", ""]);
    expect(await answer).toEqual({ type: "denied", reason: null });
  }
});

test("lines that are typed while a question is open go nowhere else", async () => {
  using at = openFakeTerminal();
  const heard: string[] = [];
  at.terminal.listen({ interrupt: () => heard.push("^C"), line: (text) => heard.push(text) });
  const answer = ask(at, command);
  await at.shows("? May this");
  at.type("secret\r");
  await at.answer([keys, "y"]);
  await answer;
  at.type("more\r");
  await at.shows("more");
  expect(heard).toEqual(["more"]);
});

test("two questions at once are asked one after the other, and what is told meanwhile waits", async () => {
  using at = openFakeTerminal();
  const person = createTerminalPerson(at.terminal, noWish);
  const [first, second] = [person.answer(command, never), person.answer({ ...command, command: "touch b" }, never)];
  const before = at.terminal.tell("told before\n");
  await at.shows(keys);
  const written = at.terminal.tell("told later\n");
  expect(at.text()).not.toContain("touch b");
  await at.answer([keys, "y"]);
  expect(await first).toEqual({ type: "approved.once" });
  await at.shows(keys, 2);
  at.type("s\r");
  expect(await second).toEqual({ type: "approved.thread" });
  await Promise.all([before, written]);
  expect(at.text()).toMatch(/told before[^]*touch a[^]*touch b[^]*told later/);
});

test("a question that is not wanted any more is left, also one that waits its turn", async () => {
  using at = openFakeTerminal();
  const person = createTerminalPerson(at.terminal, noWish);
  const turn = new AbortController();
  const asked = [person.answer(command, turn.signal), person.answer(command, turn.signal)];
  await at.shows(keys);
  turn.abort(new Error("stopped"));
  for (const each of asked) await expect(each).rejects.toThrow("stopped");
  const next = ask(at, command);
  await at.shows(keys, 2);
  at.type("y\r");
  expect(await next).toEqual({ type: "approved.once" });
});

test("leaving a question ends its line and drops what was typed into it", async () => {
  using at = openFakeTerminal();
  const heard: string[] = [];
  at.terminal.listen({ interrupt: () => heard.push("^C"), line: (text) => heard.push(text) });
  const answer = ask(at, command);
  await at.shows(keys);
  at.type("ye\u0003");
  expect(await answer).toEqual({ type: "denied", reason: null });
  at.terminal.say("told");
  await at.shows("told");
  expect(at.text().replaceAll("\r", "")).toMatch(/\[n\] no: ye\ntold\n$/);
  at.type("more\r");
  await at.shows("more");
  expect(heard).toEqual(["^C", "more"]);
});

test("a question that was answered is not drawn again", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, form);
  await at.answer(["Answer it? [y/n] ", "n"]);
  await answer;
  at.type("ab\u0015cd");
  await at.shows("cd");
  expect(at.text().split("Answer it?")).toHaveLength(2);
});

test("a patch shows its files, what lies outside, and its diff", async () => {
  using at = openFakeTerminal();
  const patch: PatchQuestion = {
    ...place,
    ...why,
    type: "patch.approval",
    changes: [{ path: "/etc/hosts", kind: "update" }],
    outsideRoots: ["/etc/hosts"],
    diff: "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\u202E\n",
  };
  const answer = ask(at, patch);
  await at.answer([keys, "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
  expect(at.text()).toContain(
    [
      "? May these files be changed?",
      "     update │ /etc/hosts",
      "    outside │ /etc/hosts",
      "       diff │ --- a",
      "            │ +++ b",
      "            │ @@ -1 +1 @@",
      "            │ -one",
      "            │ +two\\u{202e}",
    ].join("\n"),
  );
});

test("a tool shows whose it is and its arguments", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, {
    ...place,
    ...why,
    type: "tool.approval",
    server: "one",
    tool: "rm",
    arguments: { path: "\u202Ea" },
    isKeepable: true,
  });
  await at.answer([keys, "y"]);
  await answer;
  expect(at.text()).toContain(
    [
      "     server │ one",
      "       tool │ rm",
      "       with │ {",
      '            │   "path": "\\u{202e}a"',
      "            │ }",
    ].join("\n"),
  );
});

test("a yes for the thread is only offered, and taken, where it is kept", async () => {
  using at = openFakeTerminal();
  const tool = { ...place, ...why, type: "tool.approval", server: "one", tool: "rm", arguments: {} } as const;
  const answer = ask(at, { ...tool, isKeepable: false });
  await at.answer(["  [y] yes [n] no: ", "s"], ["  [y] yes [n] no: ", "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
});

test("the model's questions are answered by number or in their own words", async () => {
  using at = openFakeTerminal();
  const options = [
    { label: "Red", description: "r" },
    { label: "Blue", description: "b" },
  ];
  const question: ModelQuestions = {
    ...place,
    type: "model.questions",
    questions: ["one", "two"].map((id) => ({ id, header: "Colour", question: "Which?", options })),
  };
  const answer = ask(at, question);
  await at.answer(["own words: ", "2"], ["own words: ", "Green"]);
  expect(await answer).toEqual({ type: "answered", answers: { one: ["Blue"], two: ["Green"] } });
  const left = ask(at, question);
  await at.shows("own words: ", 3);
  at.type("\r");
  expect(await left).toEqual({ type: "dismissed" });
});

const field = { description: "", defaultValue: null };
const required = { ...field, isRequired: true };
const form: FormQuestion = {
  ...place,
  type: "server.form",
  server: "travel",
  message: "Where to?",
  fields: [
    { ...required, name: "city", title: "City", input: { type: "text", format: null, minLength: 2, maxLength: 9 } },
    {
      ...field,
      name: "days",
      title: "Days",
      isRequired: true,
      input: { type: "number", isInteger: true, minimum: 1, maximum: 9 },
    },
    { ...field, name: "sea", title: "By the sea", isRequired: false, input: { type: "boolean" } },
    {
      ...field,
      name: "by",
      title: "By",
      isRequired: true,
      input: {
        type: "choice",
        isMultiple: true,
        minItems: 1,
        maxItems: Infinity,
        options: Object.entries({ r: "Rail", b: "Bus" }).map(([value, title]) => ({ value, title })),
      },
    },
  ],
};

async function fill(question: FormQuestion, lines: readonly string[]): Promise<{ answer: Answer; text: string }> {
  using at = openFakeTerminal();
  const answer = ask(at, question);
  await at.answer(["Answer it? [y/n] ", lines[0] ?? ""], ...lines.slice(1).map((line) => ["  > ", line] as const));
  return { answer: await answer, text: at.text() };
}

test("a form is filled in field by field, and asks again where an answer does not fit", async () => {
  const { answer, text } = await fill(form, ["y", "X", "Rome", "two", "2", "y", "3", "1,2"]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Rome", days: 2, sea: true, by: ["r", "b"] } });
  expect(text.match(/That does not fit[^.]*\./g)).toEqual([
    "That does not fit: from 2 to 9 characters.",
    "That does not fit: a whole number, from 1 to 9.",
    "That does not fit: numbers, with commas between (at least 1).",
  ]);
});

test("a form names its fields first, and asks again where the answer is neither yes nor no", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, form);
  const start = "Answer it? [y/n] ";
  await at.answer([start, "green"], [start, ""], [start, "n"]);
  expect(await answer).toEqual({ type: "declined" });
  expect(at.text().slice(0, at.text().indexOf(start))).toContain(
    ["     fields │ City", "            │ Days", "            │ By the sea", "            │ By", ""].join("\n"),
  );
});

test("always for what the command does not start with is refused, and asked about again", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, { ...command, proposedPrefix: ["touch", "a"], alsoAllows: "It." });
  const edit = "starts with: ";
  await at.answer([keys, "a"], [edit, " b"], [keys, "a"], [edit, ""], ["this rule? [y/n] ", "y"]);
  expect(await answer).toEqual({ type: "approved.always", prefix: ["touch", "a"] });
  expect(at.text().split("The command asked about does not start with that")).toHaveLength(2);
});

test("an optional field may be left empty", async () => {
  const { answer } = await fill(form, ["y", "Rome", "2", "", "1"]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Rome", days: 2, by: ["r"] } });
});

test("a no declines and leaving cancels", async () => {
  expect((await fill(form, ["n"])).answer).toEqual({ type: "declined" });
  using at = openFakeTerminal();
  const left = ask(at, form);
  await at.answer(["Answer it? [y/n] ", "y"]);
  await at.shows("  > ");
  at.type("\u0003");
  expect(await left).toEqual({ type: "cancelled" });
});

test("a default stands in the line as a person would type it, and one that is more than text does not", async () => {
  const [city, , , by] = form.fields;
  if (city === undefined || by === undefined) throw new Error("fields");
  const fields = [
    { ...city, defaultValue: "Oslo" },
    { ...city, name: "evil", defaultValue: "a\ry\r" },
    { ...by, defaultValue: ["b", "r"] },
  ];
  const { answer } = await fill({ ...form, fields }, ["y", "", "Bonn", ""]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Oslo", evil: "Bonn", by: ["b", "r"] } });
});

test("a new beginning of the requests is asked about with what changes and what it costs; leaving is a no", async () => {
  const question: Question = {
    type: "prefix.break",
    threadId: "t",
    itemId: null,
    askedBy: "the thread that goes on",
    reason: "The model was changed.",
    opened: { model: "a", provider: "p" },
    changes: ["b instead of a", "the tool x is gone"],
    tokens: 1234,
  };
  using at = openFakeTerminal();
  const answer = ask(at, question);
  await at.answer(["no: ", "what?"], ["no: ", "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
  expect(at.text()).toContain(
    [
      "? May the requests of this conversation begin anew?",
      "    changes │ b instead of a",
      "    changes │ the tool x is gone",
      "      costs │ about 1,234 tokens that are not in the provider's cache",
      "   asked by │ the thread that goes on",
      "        why │ The model was changed.",
    ].join("\n"),
  );
  using other = openFakeTerminal();
  const no = ask(other, question);
  await other.answer(["no: ", "n"]);
  expect(await no).toEqual({ type: "denied", reason: null });
});

test("what happens meanwhile stands above the line that is being typed, which stays as it is", async () => {
  using at = openFakeTerminal();
  const line = at.terminal.ask("\n> ", { signal: never });
  await at.shows("> ");
  at.type("half a li");
  await at.shows("half a li");
  await at.terminal.tell("mcp: zoo is ready\n");
  await at.shows("half a li", 2);
  expect(at.text()).toMatch(/> half a limcp: zoo is ready\n\n\n> half a li$/);
  at.type("ne\r");
  expect(await line).toBe("half a line");
});

test("what we say ourselves fits a narrow terminal, with whole words", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, proposedPrefix: ["touch", "a"] });
  await at.answer([keys, "a"], ["with: touch a", " b"], [keys, "n"], ["instead? ", ""]);
  expect(await answer).toEqual({ type: "denied", reason: null });
  expect(at.text()).toContain("  [y] yes [s] for this thread [a]\n  always for `touch a …` [n] no: ");
  expect(at.text()).toContain(
    "  The command asked about does not\n  start with that, so the rule would\n  not allow it.\n",
  );
});
