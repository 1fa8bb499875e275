import type { ThreadEvent } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Cell,
  emptyThreadView,
  reduceThread,
  summarizeQuestion,
  takeFinished,
  type ThreadView,
} from "@unroll/view";
import { cache, command, done, turn, usage } from "./turns.ts";

function fold(events: readonly ThreadEvent[], from: ThreadView = emptyThreadView): ThreadView {
  return events.reduce(reduceThread, from);
}

test("a turn comes to its cells in order, its usage and its end", () => {
  const item = (each: ThreadEvent): Cell => {
    if (each.type !== "item.completed") throw new Error(each.type);
    return { type: "item", key: each.item.id, isFinished: true, turnId: "one", item: each.item };
  };
  const ends = turn.filter(({ type }) => type === "item.completed").map(item);
  const terminal = turn.at(-1) as Extract<ThreadEvent, { type: "turn.completed" }>;
  expect(fold(turn)).toEqual({
    threadId: "t",
    turn: { type: "completed" },
    cells: [...ends, { type: "notice", key: "notice_0", isFinished: true, event: terminal }],
    retry: null,
    plan: null,
    usage: { request: usage(150, 5), turn: usage(250, 15), thread: usage(250, 15) },
    budget: [],
    contextWindow: null,
    servers: [],
    hosts: [],
    noticeCount: 1,
  });
});

test("what is not finished holds its live text", () => {
  const live = fold(turn.slice(0, 8)).cells.at(-1);
  expect(live).toEqual({
    type: "item",
    key: "item_1",
    isFinished: false,
    turnId: "one",
    item: command("item_1", { aggregated_output: "a.txt\n" }),
  });
  expect(fold(turn.slice(0, 3)).cells).toMatchObject([{ isFinished: false, item: { text: "Let me " } }]);
});

test("of a running command's output the end is kept, from a line on", () => {
  const output = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join("");
  const events: readonly ThreadEvent[] = [
    { type: "item.started", item: command("item_0") },
    ...[...output.matchAll(/[\s\S]{1,100}/g)].map(
      ([delta]) => ({ type: "item.delta", item_id: "item_0", kind: "command_output", delta }) as const,
    ),
  ];
  const [cell] = fold(events).cells;
  const tail = cell?.type === "item" && cell.item.type === "command_execution" ? cell.item.aggregated_output : "";
  expect(tail.length).toBeLessThanOrEqual(8192);
  expect(output.endsWith(tail)).toBe(true);
  expect(tail).toMatch(/^line \d+\n/);
});

test("a retry is one state that goes away, and voids the live text but no command", () => {
  const retry = (attempt: number): ThreadEvent => ({
    type: "stream.retrying",
    attempt,
    max_attempts: 4,
    delay_ms: 200,
    cause: { code: "stream_cut", message: "It was cut." },
  });
  const text: ThreadEvent = { type: "item.delta", item_id: "item_1", kind: "agent_message", delta: "Half" };
  const began = fold([{ type: "item.started", item: command("item_0") }, text, retry(1), retry(2)]);
  expect(began).toMatchObject({ retry: { attempt: 2 }, cells: [{ key: "item_0", isFinished: false }] });
  expect(fold([text], began)).toMatchObject({ retry: null, cells: [{ key: "item_0" }, { item: { text: "Half" } }] });
});

test("a question is open until it is answered, or the turn ends", () => {
  const asked = (id: string): ThreadEvent => ({
    type: "question.asked",
    question: "command.approval",
    item_id: id,
    reason: "Why",
  });
  const open = fold([asked("item_0"), asked("item_1")]);
  expect(open.cells).toMatchObject([{ state: { type: "open" } }, { state: { type: "open" } }]);
  const answered = fold(
    [{ type: "question.answered", question: "command.approval", item_id: "item_1", answer: "denied" }],
    open,
  );
  expect(answered.cells).toMatchObject([
    { isFinished: false, itemId: "item_0" },
    { isFinished: true, itemId: "item_1", state: { type: "answered", answer: "denied" } },
  ]);
  const failed: ThreadEvent = { type: "turn.failed", error: { code: "interrupted", message: "^C" }, usage: usage(0) };
  expect(fold([failed], answered).cells[0]).toMatchObject({ isFinished: true, state: { type: "withdrawn" } });
});

test("a command that the model left running continues after its turn; nothing else does", () => {
  const items = [command("item_0"), { id: "item_1", type: "todo_list", items: [] } as const];
  const view = fold([...items.map((item) => ({ type: "item.started", item }) as const), ...turn.slice(-1)]);
  expect(takeFinished(view).view.cells).toMatchObject([{ key: "item_0", isFinished: false }]);
});

test("a question about a host stays open with the command that was left running, and ends with it", () => {
  const about = { question: "host.approval", item_id: "item_0" } as const;
  const asked = { type: "question.asked", ...about, reason: "a:1 is not among the hosts." } as const;
  const later = fold([{ type: "item.started", item: command("item_0") }, asked, ...turn.slice(-1)]);
  expect(later.cells[1]).toMatchObject({ isFinished: false, state: { type: "open" } });
  const answered = fold([{ type: "question.answered", ...about, answer: "approved.once" }], later);
  expect(answered.cells[1]).toMatchObject({ isFinished: true, state: { type: "answered", answer: "approved.once" } });
  const over = fold([{ type: "item.completed", item: command("item_0") }], later);
  expect(over.cells.map((cell) => (cell.type === "question" ? summarizeQuestion(cell) : cell.type))).toEqual([
    "item",
    "? asked about a host: no answer: the command ended",
    "notice",
  ]);
});

test("usage is of the last request, of the turn and of the thread", () => {
  const second = fold([{ type: "turn.started", turn_id: "two" }], fold(turn));
  expect(second.usage).toEqual({ request: usage(150, 5), turn: usage(0), thread: usage(250, 15) });
  const more = fold([{ type: "request.completed", response_id: "r", usage: usage(300), cache }], second);
  expect(more.usage).toEqual({ request: usage(300), turn: usage(300), thread: usage(550, 15) });
  const tokens = { tokens_before: 300, tokens_after: 20 };
  const shortened = { type: "compaction.completed", method: "local", summary: null, ...tokens } as const;
  expect(fold([shortened], more).usage).toEqual({ ...more.usage, request: null });
  const ended = fold([{ type: "turn.completed", usage: usage(320, 1) }], more);
  expect(ended.usage).toEqual({ request: usage(300), turn: usage(320, 1), thread: usage(570, 16) });
  const told = fold([{ type: "turn.completed", usage: usage(320, 1), thread_usage: usage(9000, 90) }], more);
  expect(told.usage.thread).toEqual(usage(9000, 90)); // other processes ran turns of it before
});

test("a thread of 1,000 calls leaves nothing behind in a view that is emptied", () => {
  let view = emptyThreadView;
  let taken = 0;
  for (let at = 0; at < 1000; at += 1) {
    const item = command(`item_${at}`, { ...done, aggregated_output: "x".repeat(10_000) });
    for (const type of ["item.started", "item.completed"] as const) {
      const { finished, view: rest } = takeFinished(reduceThread(view, { type, item }));
      taken += finished.length;
      view = rest;
    }
    expect(JSON.stringify(view).length).toBeLessThan(1000);
  }
  expect(taken).toBe(1000);
});

const anyItem = fc.integer({ min: 0, max: 5 }).chain((id) =>
  fc.constantFrom(
    { id: `item_${id}`, type: "agent_message", text: "Hello" } as const,
    command(`item_${id}`),
    { id: `item_${id}`, type: "todo_list", items: [{ text: "a", completed: false }] } as const,
    {
      id: `item_${id}`,
      type: "tool_call",
      tool: "t",
      arguments: {},
      output: null,
      status: "failed",
      reason: "No.",
    } as const,
  ),
);
const anyEvent: fc.Arbitrary<ThreadEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom("item.started", "item.updated", "item.completed"), item: anyItem }),
  fc.record({
    type: fc.constant("item.delta"),
    item_id: fc.integer({ min: 0, max: 5 }).map((id) => `item_${id}`),
    kind: fc.constantFrom("agent_message", "reasoning", "command_output"),
    delta: fc.string(),
  }),
  fc.record({
    type: fc.constant("question.asked"),
    question: fc.constantFrom("command.approval", "server.form"),
    item_id: fc.constant(null),
    reason: fc.string(),
  }),
  fc.record({
    type: fc.constant("question.answered"),
    question: fc.constantFrom("command.approval", "server.form"),
    item_id: fc.constant(null),
    answer: fc.constant("denied"),
  }),
  fc.constantFrom<ThreadEvent>(
    { type: "turn.started", turn_id: "x" },
    { type: "warning", message: "w" },
    { type: "events.skipped", count: 3 },
    { type: "turn.completed", usage: usage(1) },
  ),
);

test("keys are unique, and nothing that is finished changes, whatever comes, also where events were lost", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      let view = emptyThreadView;
      for (const event of events) {
        const next = reduceThread(view, event);
        expect(new Set(next.cells.map(({ key }) => key)).size).toBe(next.cells.length);
        const live = event.type === "turn.completed" ? next.cells.filter(({ isFinished }) => !isFinished) : [];
        expect(live.every((cell) => cell.type === "item" && cell.item.type === "command_execution")).toBe(true);
        view = next;
      }
    }),
  );
});
