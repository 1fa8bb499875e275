import { noTokenUsage, type NumberedEvent, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { expect, test } from "vitest";
import { createThreadFeed } from "../src/base/thread-feed.ts";

const outcome: TurnOutcome = { type: "completed", finalMessage: null, usage: noTokenUsage };
const completed: ThreadEvent = { type: "turn.completed", usage: noTokenUsage };
const warn = (message: string): ThreadEvent => ({ type: "warning", message });

async function* endTurn(): AsyncGenerator<ThreadEvent, TurnOutcome> {
  yield completed;
  return outcome;
}

async function collect(events: AsyncIterable<NumberedEvent>): Promise<readonly NumberedEvent[]> {
  const all: NumberedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("what happens while somebody holds the terminal event comes behind it: between turns for readers, and first in the next turn", async () => {
  const feed = createThreadFeed({ threadId: "thread-1", clock: { now: () => 7 } });
  const [all, betweenTurns] = [collect(feed.read()), collect(feed.read({ ofTurns: false }))];
  const told: ThreadEvent[] = [];
  for (const id of ["turn-1", "turn-2"]) {
    for await (const event of feed.tellTurn(id, endTurn())) {
      told.push(event);
      if (id === "turn-1") feed.tell(warn("late"));
    }
  }
  feed.close();
  expect(told).toEqual([completed, warn("late"), completed]);
  const late = { threadId: "thread-1", turnId: null, seq: 1, at: 7, event: warn("late") };
  expect(await betweenTurns).toEqual([late]);
  expect(await all).toEqual([
    { threadId: "thread-1", turnId: "turn-1", seq: 0, at: 7, event: completed },
    late,
    { threadId: "thread-1", turnId: "turn-2", seq: 2, at: 7, event: completed },
  ]);
});

test("a reader that comes after the first events were lost gets their number", async () => {
  const feed = createThreadFeed({ threadId: "thread-1", clock: { now: () => 7 } });
  for (let n = 0; n < 10_005; n++) feed.tell(warn(String(n)));
  const reading = collect(feed.read());
  feed.close();
  const [skipped, next, ...rest] = await reading;
  expect([skipped, next]).toEqual([
    { threadId: "thread-1", turnId: null, seq: 5, at: 7, event: { type: "events.skipped", count: 6 } },
    { threadId: "thread-1", turnId: null, seq: 6, at: 7, event: warn("6") },
  ]);
  expect(rest.at(-1)).toEqual({ threadId: "thread-1", turnId: null, seq: 10_004, at: 7, event: warn("10004") });
});
