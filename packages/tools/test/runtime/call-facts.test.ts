import type { ThreadEvent } from "@unroll/protocol";
import { type CallGate, defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { createFakeClock, createRuntime, functionCall, noon, runCalls } from "../fake-ports.ts";

function openSlow(gate: CallGate) {
  const clock = createFakeClock();
  const slow = defineTool({
    name: "slow",
    description: "",
    input: z.strictObject({}),
    async run() {
      clock.advance(1500.4);
      return "done";
    },
  });
  return { clock, runtime: createRuntime([slow], { clock, gate }) };
}

/** The items of the events, and when questions were answered. */
function readFacts(events: readonly ThreadEvent[]): readonly object[] {
  return events.flatMap((event): readonly object[] => {
    if ("item" in event) return [event.item];
    return event.type === "question.answered" ? [{ answered_at: event.answered_at }] : [];
  });
}

const item = { id: "item_0", type: "tool_call", tool: "slow", arguments: {}, output: null } as const;

test("every item of a call has the id of the call and when it started, and at its end how long it took", async () => {
  const { runtime } = openSlow({ judge: async () => ({ type: "run", confinement: "policy" }) });
  const { events } = await runCalls(runtime, [functionCall("slow", {})]);
  const facts = { call_id: "call_1", started_at: noon };
  expect(readFacts(events)).toEqual([
    { ...item, status: "in_progress", ...facts },
    { ...item, output: "done", status: "completed", ...facts, duration_ms: 1500 },
  ]);
});

test("a call that was asked about starts with the answer", async () => {
  const about = { question: "tool.approval", item_id: "item_0" } as const;
  const { clock, runtime } = openSlow({
    async judge(_call, { emit }) {
      await emit({ type: "question.asked", ...about, reason: "It may be slow." });
      clock.advance(60_000);
      await emit({ type: "question.answered", ...about, answer: "approved.once" });
      return { type: "run", confinement: "policy" };
    },
  });
  const { events } = await runCalls(runtime, [functionCall("slow", {})]);
  const start = noon + 60_000;
  expect(readFacts(events)).toEqual([
    { ...item, status: "in_progress", call_id: "call_1", started_at: noon },
    { answered_at: start },
    { ...item, output: "done", status: "completed", call_id: "call_1", started_at: start, duration_ms: 1500 },
  ]);
});
