import type { ThreadEvent } from "@unroll/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { type Libraries, loadLibraries } from "@unroll/cells";
import { openShown, said, say, toLooks, toTexts, usage } from "./shown.ts";

let libraries: Libraries;
beforeAll(async () => {
  libraries = await loadLibraries();
});

const retry: ThreadEvent = {
  type: "stream.retrying",
  attempt: 1,
  max_attempts: 5,
  delay_ms: 1000,
  cause: { code: "stream_cut", message: "The stream was cut." },
};
const running = {
  id: "item_1",
  type: "command_execution",
  command: "npm test",
  aggregated_output: "",
  exit_code: null,
  status: "in_progress",
  started_at: 0,
} as const;

const looksOfLine = (at: number): readonly string[] => ["code-keyword:const", `code-number:${at}`];

describe("a shown thread", () => {
  test("a command that began beside a turn is live with its output, one that a turn left is a line", () => {
    const thread = openShown(libraries);
    const started = { type: "item.started", item: running } as const;
    const wrote = { type: "item.delta", item_id: "item_1", kind: "command_output", delta: "ok 1\n" } as const;
    thread.play(started, wrote);
    expect(thread.live()).toEqual(["$ npm test", "  ok 1", "  running"]);
    const other = openShown(libraries);
    other.play({ type: "turn.started", turn_id: "t" }, started, wrote, { type: "turn.completed", usage });
    expect(other.live().slice(-1)).toEqual(["$ npm test · still running"]);
  });

  test("how long a person took to allow a command is not counted as its time", () => {
    const thread = openShown(libraries);
    thread.play({ type: "turn.started", turn_id: "t" }, { type: "item.started", item: running });
    thread.advance(60_000);
    thread.play({
      type: "question.answered",
      question: "command.approval",
      item_id: "item_1",
      answer: "approved.once",
      answered_at: 60_000,
    });
    thread.advance(2000);
    expect(thread.live()).toEqual(["$ npm test", "  running for 2 s"]);
  });

  test("keeps of a question a line with its answer, and why it was asked for the pager", () => {
    const thread = openShown(libraries);
    const about = { question: "command.approval", item_id: "item_1" } as const;
    const shown = thread.play(
      { type: "turn.started", turn_id: "t" },
      { type: "question.asked", ...about, reason: "It is covered by no rule." },
      { type: "question.answered", ...about, answer: "approved.thread" },
      { type: "turn.completed", usage },
    );
    expect(shown).toEqual(["? asked about a command: yes, for this thread"]);
    const source = thread.shown.openSource(79);
    expect(toTexts(Array.from({ length: source.count }, (_, at) => source.at(at)))).toEqual([
      "? asked about a command: It is covered by no rule.",
      "    answer: yes, for this thread",
    ]);
  });

  test("gives the same live lines again while only time goes by, and others as soon as something comes", () => {
    const thread = openShown(libraries);
    thread.play(say("Half a sen"));
    const lines = thread.shown.renderLive(79);
    thread.advance(5000);
    expect(thread.shown.renderLive(79)).toBe(lines);
    expect(toTexts(thread.shown.renderLive(9))).toEqual(toTexts(lines));
    thread.play(say("tence"));
    expect(thread.live()).toEqual(["Half a sentence"]);
  });

  test("writes each block of an answer when it is whole, and keeps the last one live", () => {
    const thread = openShown(libraries);
    thread.shown.apply({
      type: "input.received",
      input: [
        { type: "text", text: "Why?\nSay it." },
        { type: "image", dataUrl: "data:" },
      ],
    });
    expect(thread.play()).toEqual(["› Why?", "  Say it.", "  [1 picture]"]);
    expect(thread.play(say("Because **of"))).toEqual([]);
    expect(thread.live()).toEqual(["", "Because of"]);
    expect(toLooks(thread.shown.renderLive(79))).toEqual(["strong:of"]);
    expect(thread.play(say(" it**.\n\nAnd so"))).toEqual(["", "Because of it."]);
    expect(thread.live()).toEqual(["", "And so"]);
    expect(thread.play(said("Because **of it**.\n\nAnd so on."))).toEqual(["", "And so on."]);
    expect(thread.live()).toEqual([]);
  });

  test("says so if an answer that was written in part restarts, and shows the retry as one line that disappears", () => {
    const thread = openShown(libraries);
    expect(thread.play(say("One.\n\nTwo"))).toEqual(["One."]);
    expect(thread.play(retry)).toEqual(["", "[…] the answer above was cut off and does not count"]);
    expect(thread.live()).toEqual(["", "retry 1 of 5 in 1.0 s: The stream was cut."]);
    expect(thread.play({ ...retry, attempt: 2 })).toEqual([]);
    expect(thread.live()).toEqual(["", "retry 2 of 5 in 1.0 s: The stream was cut."]);
    expect(thread.play(say("Uno", "item_1"))).toEqual([]);
    expect(thread.live()).toEqual(["", "Uno"]);
  });

  test("marks an answer that was cut, and what can be done", () => {
    const thread = openShown(libraries);
    const error = { code: "interrupted", message: "The turn was interrupted." };
    expect(
      thread.play(
        { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Half", cut: "interrupted" } },
        { type: "turn.failed", error, usage },
      ),
    ).toEqual([
      "Half",
      "[…] cut off: interrupted",
      "",
      "The turn was interrupted.",
      "  Tell the agent what to do instead, or to continue.",
    ]);
  });

  test("shows the end of what a command writes while it runs, then all of it, folded, with its end and its time", () => {
    const thread = openShown(libraries);
    const output = Array.from({ length: 14 }, (_, at) => `${at}% \r${at} lines`).join("\n");
    thread.play({ type: "turn.started", turn_id: "t" }, { type: "item.started", item: running });
    thread.advance(12_300);
    thread.play({ type: "item.delta", item_id: "item_1", kind: "command_output", delta: output });
    expect(thread.live()).toEqual([
      "$ npm test",
      "  9 lines",
      "  10 lines",
      "  11 lines",
      "  12 lines",
      "  13 lines",
      "  running for 12 s",
    ]);
    const ended = {
      ...running,
      aggregated_output: output,
      exit_code: 137,
      status: "failed",
      duration_ms: 12_300,
    } as const;
    expect(thread.play({ type: "item.completed", item: ended })).toEqual([
      "$ npm test",
      ...["0", "1", "2"].map((at) => `  ${at} lines`),
      "  … +3 lines, ^T shows all",
      ...["6", "7", "8", "9", "10", "11", "12", "13"].map((at) => `  ${at} lines`),
      "  ✗ exit 137 (SIGKILL) · 12 s",
    ]);
    expect(thread.shown.openSource(79).count).toBe(16);
    expect(thread.play({ type: "item.completed", item: { ...ended, omitted_lines: 444 } })).toContain(
      "  … +3 lines, ^T shows all; 444 more lines were not kept",
    );
  });

  test("says why a command was not run, and keeps one that runs on between turns in one line", () => {
    const thread = openShown(libraries);
    const command = "rm -rf /\n\u202eecho";
    const declined = { ...running, command, status: "declined", reason: "A rule forbids it.\nAsk first." } as const;
    expect(thread.play({ type: "item.completed", item: declined })).toEqual([
      "$ rm -rf /",
      "  \\u{202e}echo",
      "  ✗ not run: A rule forbids it.",
      "    Ask first.",
    ]);
    thread.play(
      { type: "turn.started", turn_id: "t" },
      { type: "item.started", item: { ...running, id: "item_2" } },
      { type: "turn.completed", usage },
    );
    thread.advance(200_000);
    expect(thread.live()).toEqual(["", "$ npm test · still running for 3 min 20 s"]);
  });

  test("writes the plan with each change once", () => {
    const thread = openShown(libraries);
    const plan = (done: boolean) =>
      ({
        id: "item_0",
        type: "todo_list",
        items: [
          { text: "look", completed: done },
          { text: "mend", completed: false },
        ],
      }) as const;
    expect(thread.play({ type: "item.started", item: plan(false) })).toEqual([
      "Plan: 0 of 2 done",
      "  ▸ look",
      "  ○ mend",
    ]);
    expect(thread.live()).toEqual(["", "Plan: step 1 of 2"]);
    expect(thread.play({ type: "item.updated", item: plan(true) })).toEqual([
      "",
      "Plan: 1 of 2 done",
      "  ✓ look",
      "  ▸ mend",
    ]);
    expect(thread.play({ type: "item.completed", item: plan(true) })).toEqual([]);
  });

  test("folds reasoning into one line, streams it where it is wanted, and leaves it out where it is not", () => {
    const reasoning: ThreadEvent = {
      type: "item.completed",
      item: { id: "item_0", type: "reasoning", text: "**Looking**\n\nAt the code.\n\nAnd the tests." },
    };
    expect(openShown(libraries).play(reasoning)).toEqual(["Looking … +4 lines, ^T shows all"]);
    expect(openShown(libraries, { reasoning: "hidden" }).play(reasoning)).toEqual([]);
    const shown = openShown(libraries, { reasoning: "shown" });
    expect(
      shown.play({ type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "**Looking**\n\nAt" }),
    ).toEqual(["Looking"]);
    expect(shown.play(reasoning)).toEqual(["", "At the code.", "", "And the tests."]);
  });

  const think = (delta: string): ThreadEvent => ({
    type: "item.delta",
    item_id: "item_0",
    kind: "reasoning",
    delta,
  });
  const thought: ThreadEvent = {
    type: "item.completed",
    item: { id: "item_0", type: "reasoning", text: "Why.\n\nHow." },
  };

  test("writes a thought above the answer that it led to, although its end event comes only with the answer's", () => {
    for (const [reasoning, lines] of [
      ["folded", ["Why. … +2 lines, ^T shows all"]],
      ["shown", ["Why.", "", "How."]],
      ["hidden", []],
    ] as const) {
      const thread = openShown(libraries, { reasoning });
      const gap = lines.length === 0 ? [] : [""];
      const written = thread.play(think("Why.\n\nHow."), say("One.\n\nTwo", "item_1"));
      expect(written).toEqual([...lines, ...gap, "One."]);
      expect(thread.live()).toEqual(["", "Two"]);
      expect(thread.play(thought, said("One.\n\nTwo.", "item_1"))).toEqual(["", "Two."]);
      expect(thread.shown.entries).toHaveLength(2);
    }
  });

  test("writes a thought again if the answer after it broke off and is requested again", () => {
    const thread = openShown(libraries);
    thread.play(think("Why.\n\nHow."), say("One.\n\nTwo", "item_1"));
    expect(thread.play(retry, thought, said("Three.", "item_1"))).toEqual([
      "",
      "[…] the answer above was cut off and does not count",
      "",
      "Why. … +2 lines, ^T shows all",
      "",
      "Three.",
    ]);
  });

  test("shows the whole reason for refused commands once, then its first sentence, and on a page the whole reason each time", () => {
    const thread = openShown(libraries);
    const refuse = (id: string): ThreadEvent => ({
      type: "item.completed",
      item: { ...running, id, status: "declined", reason: "There is no sandbox. Install one." },
    });
    expect(thread.play(refuse("item_0"), refuse("item_1"))).toEqual([
      "$ npm test",
      "  ✗ not run: There is no sandbox. Install one.",
      "",
      "$ npm test",
      "  ✗ not run: There is no sandbox (see above)",
    ]);
    const source = thread.shown.openSource(79);
    expect(toTexts([source.at(source.count - 1)])).toEqual(["  ✗ not run: There is no sandbox. Install one."]);
  });

  test("gives a pager what is going on below what is finished, whole", () => {
    const thread = openShown(libraries);
    const output = Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n");
    thread.play(said("Done."), { type: "item.started", item: { ...running, aggregated_output: output } });
    thread.play(say("One.\n\nTwo", "item_2"));
    const source = thread.shown.openSource(79);
    const all = toTexts(Array.from({ length: source.count }, (_, at) => source.at(at)));
    const lines = output.split("\n").map((line) => `  ${line}`);
    expect(all).toEqual(["Done.", "", "$ npm test", ...lines, "  running", "", "One.", "", "Two"]);
  });

  test("colours code by the names that models write, and shows any other word of a fence", () => {
    const names = ["ts", "sh", "shell", "py", "python3", "Dockerfile", "vue", "jsonl", "c++", "scala"];
    for (const name of names) expect([name, libraries.highlighter.knows(name)]).toEqual([name, true]);
    const shown = openShown(libraries).shown;
    shown.apply(said("```shell\nif true; then\n```\n\n```console\n$ ls\n```\n\n```main.rs\nfn\n```"));
    expect(toLooks(shown.takeLines(79))).toEqual([
      "code-keyword:if",
      "code-keyword:true",
      "code-keyword:then",
      "muted:main.rs",
    ]);
  });

  test("gives much code a little at a time, all of it and in its order, and shows the end of the rest meanwhile", async () => {
    const thread = openShown(libraries);
    const lines = Array.from({ length: 90 }, (_, at) => `const line${at} = ${at};`);
    const pieces = [thread.play(said(`\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\nDone.`))];
    expect([pieces[0]?.length, thread.shown.hasMore, thread.live().slice(-3)]).toEqual([
      20,
      true,
      [lines[89], "", "Done."],
    ]);
    while (thread.shown.hasMore) pieces.push(toTexts(thread.shown.takeLines(79)));
    expect(pieces.flat()).toEqual([...lines, "", "Done."]);
    expect(pieces.length).toBe(5);
  });

  test("gives a pager all its lines, each drawn when it is looked at", async () => {
    const thread = openShown(libraries);
    const output = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    for (let at = 0; at < 50; at += 1) {
      thread.shown.apply({ type: "input.received", input: [{ type: "text", text: `Message ${at}` }] });
      thread.play({
        type: "item.completed",
        item: { ...running, aggregated_output: output, exit_code: 0, status: "completed" },
      });
      thread.play({ type: "warning", message: "one" }, { type: "warning", message: "two" });
    }
    thread.shown.apply(said("```rb\nend\n```", "item_2"));
    expect(toTexts(thread.shown.takeRest(79))).toEqual(["", "end"]);
    const block = [
      "",
      "$ npm test",
      ...output.split("\n").map((line) => `  ${line}`),
      "  ✓ exit 0",
      "",
      "warning: one",
      "warning: two",
      "",
    ];
    const whole = Array.from({ length: 50 }, (_, at) => [`› Message ${at}`, ...block]).flat();
    const source = thread.shown.openSource(79);
    expect(toTexts(Array.from({ length: source.count }, (_, at) => source.at(at)))).toEqual([...whole, "end"]);
    expect(toTexts([source.at(source.count - 1), source.at(0), source.at(3)])).toEqual([
      "end",
      "› Message 0",
      "  line 0",
    ]);
  });

  test("colours for a pager only the blocks of an answer that are looked at, and none for a search", async () => {
    const colored: string[] = [];
    const highlighter: Libraries["highlighter"] = {
      ...libraries.highlighter,
      highlight(code, language) {
        colored.push(code);
        return libraries.highlighter.highlight(code, language);
      },
    };
    const lines = Array.from({ length: 90 }, (_, at) => `const line${at} = ${at};`);
    const text = `First.\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\``;
    const finished = openShown({ ...libraries, highlighter });
    finished.shown.apply(said(text));
    const going = openShown({ ...libraries, highlighter });
    going.shown.apply(say(text));
    for (const { shown } of [finished, going]) {
      const source = shown.openSource(79);
      const texts = Array.from({ length: source.count }, (_, at) => source.textAt(at));
      expect(texts).toEqual(["First.", "", ...lines]);
      expect(colored.splice(0)).toEqual([]);
      expect(toLooks([source.at(46), source.at(47)])).toEqual([44, 45].flatMap(looksOfLine));
      expect(colored.splice(0)).toEqual([lines.slice(20, 60).join("\n")]);
      const all = Array.from({ length: source.count }, (_, at) => source.at(at));
      expect([toTexts(all), toLooks(all)]).toEqual([texts, lines.flatMap((_, at) => looksOfLine(at))]);
      expect(colored.splice(0).length).toBe(4);
    }
  });

  test("puts notices one below the other, with what is left of the budget", () => {
    const thread = openShown(libraries);
    expect(
      thread.play(
        { type: "budget.updated", limits: [{ limit: "max_turns", of: "run", max: 20, spent: 3 }] },
        { type: "compaction.completed", method: "local", tokens_before: 900, tokens_after: 90, summary: "All of it." },
        {
          type: "epoch.opened",
          cause: "compaction",
          items: 4,
          shared_items: 2,
          first_difference: { index: 2, type: "message" },
        },
        { type: "turn.completed", usage: { ...usage, input_tokens: 1000, cached_input_tokens: 750 } },
      ),
    ).toEqual([
      "compacted from about 900 tokens to about 90",
      "resending the thread: compaction (2 of 4 items are still cached)",
      "tokens: 1,000 in, 750 of them cached (75 %), 0 out",
      "budget: 3 of 20 requests",
    ]);
  });
});
