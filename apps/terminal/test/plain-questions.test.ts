import type { CommandQuestion, ModelQuestions, PatchQuestion, Question } from "@unroll/protocol";
import { expect, test } from "vitest";
import { ask, createAsked, hear, openFakeTerminal, tell } from "./fake-terminal.ts";

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
  proposedEnv: [],
  alsoAllows: null,
};
const keys = "[n] no: ";
const never = new AbortController().signal;

test("a question about a command shows who asks and why, once", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, { ...command, isUnconfined: true, justification: "It is to be there." });
  await at.answer([keys, "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
  expect(at.text()).toContain(
    [
      "? Run this command outside the sandbox?",
      "command   │ touch a",
      "in        │ /home/ada",
      "the model │ It is to be there.",
      "asked by  │ approval policy untrusted",
      "why       │ It asks before anything that may write.",
    ].join("\n"),
  );
});

test("nothing of what is asked is hidden, and no line of it can pose as ours", async () => {
  using at = openFakeTerminal();
  const hostile =
    "make lint #\u001b]\necho >>O/ran\n\u001b\\\r\u202Eabc\u200B\u2066\u2028d\n  [y] yes\n? Run this command?";
  const answer = ask(at, { ...command, command: hostile });
  await at.answer([keys, "n"], ["instead: ", ""]);
  expect(await answer).toEqual({ type: "denied", reason: null });
  expect(at.text()).toContain(
    [
      "command   │ make lint #\\u{1b}]",
      "          │ echo >>O/ran",
      "          │ \\u{1b}\\\\u{d}\\u{202e}abc\\u{200b}\\u{2066}\\u{2028}d",
      "          │   [y] yes",
      "          │ ? Run this command?",
    ].join("\n"),
  );
});

test("a line that is too long continues after another mark, which shows that it is not a new line", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, command: `echo ${"x".repeat(40)}\n字字字字字字字字字字字字字字字` });
  await at.answer([keys, "n"], ["instead: ", ""]);
  await answer;
  expect(at.text()).toContain(
    [
      `command   │ echo ${"x".repeat(22)}`,
      `          ↪ ${"x".repeat(18)}`,
      "          │ 字字字字字字字字字字字字字",
      "          ↪ 字字",
    ].join("\n"),
  );
});

test("a row ends behind a blank where one is near its end", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, command: "one two three four five six seven" });
  await at.answer([keys, "y"]);
  await answer;
  expect(at.text()).toContain("command   │ one two three four five\n          ↪ six seven\n");
});

test("what is long is counted and paged, and the answer keys count only after all of it", async () => {
  using at = openFakeTerminal({ rows: 46 });
  const lines = Array.from({ length: 117 }, (_, index) => `echo ${index + 1}`);
  const answer = ask(at, { ...command, command: lines.join("\n") });
  await at.answer(["lines 1-40 of 120. Press Enter for more, n for no: ", "y"]);
  await at.shows("lines 41-80 of 120");
  expect(at.text()).not.toContain("echo 81");
  await at.answer(["lines 41-80 of 120. Press Enter for more, n for no: ", "y"], [keys, "s"]);
  expect(await answer).toEqual({ type: "approved.thread" });
  for (const line of lines) expect(at.text()).toContain(`│ ${line}\n`);
});

test("a page fits the screen, and leaving between pages denies", async () => {
  using at = openFakeTerminal({ rows: 12 });
  const answer = ask(at, { ...command, command: "x\n".repeat(20) });
  await at.shows("lines 1-6 of 24. Press Enter for more, n for no: ");
  at.type("\u0003");
  expect(await answer).toEqual({ type: "denied", reason: null });
});

test("n and its word deny on any page of a long question, and ask what to do instead", async () => {
  for (const no of ["n", "no"]) {
    using at = openFakeTerminal({ rows: 12 });
    const answer = ask(at, { ...command, command: "x\n".repeat(20) });
    await at.answer(["of 24. Press Enter for more, n for no: ", no], ["instead: ", "use b"]);
    expect(await answer).toEqual({ type: "denied", reason: "use b" });
    expect(at.text()).not.toContain("lines 7-12");
  }
});

test("keys that were typed before the question do not answer it, with or without Enter", async () => {
  for (const ahead of ["y\r", "y", "y\ry\ry\r"]) {
    using at = openFakeTerminal();
    at.type(ahead);
    const answer = ask(at, command);
    at.type(ahead);
    await at.answer([keys, "n"], ["instead: ", "use b"]);
    expect(await answer).toEqual({ type: "denied", reason: "use b" });
  }
});

test("a paste does not answer, wherever it contains the key", async () => {
  for (const paste of ["y\rls\r", "ls\ry\r", "ls\ry\rpwd", "ls\rs\ry\r"]) {
    using at = openFakeTerminal();
    const answer = ask(at, command);
    await at.shows(keys);
    at.type(paste);
    await at.shows(keys, 2);
    at.type("n\r");
    await at.answer(["instead: ", ""]);
    expect(await answer).toEqual({ type: "denied", reason: null });
  }
});

test("lines that are typed while a question is open go nowhere else", async () => {
  using at = openFakeTerminal();
  const heard = hear(at);
  const answer = ask(at, command);
  await at.shows("? Run this");
  at.type("secret\r");
  await at.answer([keys, "y"]);
  await answer;
  at.type("more\r");
  await at.shows("more");
  expect(heard).toEqual(["more"]);
});

test("two questions at once are asked one after the other, and messages wait meanwhile", async () => {
  using at = openFakeTerminal();
  const person = createAsked(at);
  const [first, second] = [person.answer(command, never), person.answer({ ...command, command: "touch b" }, never)];
  tell(at, "told before");
  await at.shows(keys);
  tell(at, "told later");
  expect(at.text()).not.toContain("touch b");
  await at.answer([keys, "y"]);
  expect(await first).toEqual({ type: "approved.once" });
  await at.shows(keys, 2);
  at.type("s\r");
  expect(await second).toEqual({ type: "approved.thread" });
  await at.shows("told later");
  expect(at.text()).toMatch(/told before[^]*touch a[^]*touch b[^]*told later/);
});

test("a question that is not wanted any more is left, also one that waits its turn", async () => {
  using at = openFakeTerminal();
  const person = createAsked(at);
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
  const heard = hear(at);
  const answer = ask(at, command);
  await at.shows(keys);
  at.type("ye\u0003");
  expect(await answer).toEqual({ type: "denied", reason: null });
  tell(at, "told");
  await at.shows("told");
  expect(at.text().replaceAll("\r", "")).toMatch(/\[n\] no: ye\ntold\n$/);
  at.type("more\r");
  await at.shows("more");
  expect(heard).toEqual(["^C", "more"]);
});

test("a patch shows its files, what lies outside, and its diff", async () => {
  using at = openFakeTerminal();
  const patch: PatchQuestion = {
    ...place,
    ...why,
    type: "patch.approval",
    changes: [{ path: "/etc/hosts", kind: "update" }],
    outsideRoots: ["/etc/hosts"],
    editFolders: [],
    diff: "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\u202E\n",
  };
  const answer = ask(at, patch);
  await at.answer([keys, "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
  expect(at.text()).toContain(
    [
      "? Change these files?",
      "update    │ /etc/hosts",
      "outside   │ /etc/hosts",
      "diff      │   R a → b +1 -1",
      "          │   1 -one",
      "          │   1 +two\\u{202e}",
    ].join("\n"),
  );
});

test("all edits of a thread can be approved, and the question says which, and how long", async () => {
  using at = openFakeTerminal();
  const patch: PatchQuestion = {
    ...place,
    ...why,
    type: "patch.approval",
    changes: [{ path: "/srv/a.txt", kind: "update" }],
    outsideRoots: [],
    editFolders: ["/srv", "/tmp\u202e"],
    diff: "",
  };
  const answer = ask(at, patch);
  await at.answer([keys, "e"]);
  expect(await answer).toEqual({ type: "approved.edits" });
  expect(at.text()).toContain("yes, all edits in this thread");
  expect(at.text()).toMatch(
    /all edits │ Patches to files in \/srv, \/tmp\\u\{202e\}, while the sandbox and the[\s↪│]+approval policy/,
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
    ["server    │ one", "tool      │ rm", "with      │ {", '          │   "path": "\\u{202e}a"', "          │ }"].join(
      "\n",
    ),
  );
});

test("approval for the whole thread is only offered, and accepted, if it can be kept", async () => {
  using at = openFakeTerminal();
  const tool = { ...place, ...why, type: "tool.approval", server: "one", tool: "rm", arguments: {} } as const;
  const answer = ask(at, { ...tool, isKeepable: false });
  await at.answer(["  [y] yes [n] no: ", "s"], ["  [y] yes [n] no: ", "y"]);
  expect(await answer).toEqual({ type: "approved.once" });
});

test("the model's questions are answered by number or with any other answer", async () => {
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
  await at.answer(["type an answer: ", "2"], ["type an answer: ", "Green"]);
  expect(await answer).toEqual({ type: "answered", answers: { one: ["Blue"], two: ["Green"] } });
  const left = ask(at, question);
  await at.shows("type an answer: ", 3);
  at.type("\r");
  expect(await left).toEqual({ type: "dismissed" });
});

test("always for what the command does not start with is refused, and asked about again", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, { ...command, proposedPrefix: ["touch", "a"], alsoAllows: "It." });
  const edit = "start with: ";
  await at.answer([keys, "a"], [edit, " b"], [keys, "a"], [edit, ""], ["[n] back: ", "y"]);
  expect(await answer).toEqual({ type: "approved.always", prefix: ["touch", "a"] });
  expect(at.text().split("The command does not start with this")).toHaveLength(2);
});

test("the question about resending the thread shows the changes and the cost; leaving it denies", async () => {
  const question: Question = {
    type: "prefix.break",
    threadId: "t",
    itemId: null,
    askedBy: "cache protection",
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
      "? Switching models resends about 1,234 tokens uncached. Switch?",
      "changes   │ b instead of a",
      "changes   │ the tool x is gone",
      "asked by  │ cache protection",
      "why       │ The model was changed.",
    ].join("\n"),
  );
  using other = openFakeTerminal();
  const no = ask(other, question);
  await other.answer(["no: ", "n"]);
  expect(await no).toEqual({ type: "denied", reason: null });
});

test("events are written above the line that is being typed, which does not change", async () => {
  using at = openFakeTerminal();
  const next = at.driver.next(never);
  await at.shows("> ");
  at.type("half a li");
  await at.shows("half a li");
  tell(at, "mcp: zoo is ready");
  await at.shows("half a li", 2);
  expect(at.text()).toMatch(/> half a limcp: zoo is ready\n\n\n> half a li$/);
  at.type("ne\r");
  expect((await next)?.submission.text).toBe("half a line");
});

test("what we say ourselves fits a narrow terminal, with whole words", async () => {
  using at = openFakeTerminal({ columns: 40 });
  const answer = ask(at, { ...command, proposedPrefix: ["touch", "a"] });
  await at.answer([keys, "a"], ["with: ", " b"], [keys, "n"], ["instead: ", ""]);
  expect(await answer).toEqual({ type: "denied", reason: null });
  expect(at.text()).toContain(
    "  [y] yes\n  [s] yes, for this thread\n  [a] always allow commands that start\n  with `touch a`\n  [n] no: ",
  );
  expect(at.text()).toContain("The command does not start with this,\nso the rule would not allow it.\n");
});
