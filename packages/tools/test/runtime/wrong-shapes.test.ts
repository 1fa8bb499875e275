import { type CallableTool, defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { createRuntime, functionCall, runCalls } from "../fake-ports.ts";

const good = defineTool({ name: "good", description: "", input: z.object({}), run: async () => "fine" });
const gated = { type: "tool", tool: "bad", arguments: {}, approval: "run" };
const run = async (): Promise<unknown> => ({ answer: "done" });

/** A tool of whose author no compiler looked. */
function bad(parts: Record<string, unknown>): CallableTool {
  return { ...good, name: "bad", spec: { ...good.spec, name: "bad" }, ...parts } as never;
}

function prepares(prepared: unknown): CallableTool {
  return bad({ prepare: () => prepared });
}

function plans(plan: unknown): CallableTool {
  return prepares({ type: "call.ready", concurrency: "shared", plan: async () => plan });
}

function ends(end: unknown): CallableTool {
  return plans({ type: "call.planned", gated, run: async () => end });
}

function tells(event: unknown): CallableTool {
  const emit = async (_verdict: unknown, context: { emit(event: unknown): Promise<void> }) => {
    void context.emit(event);
    return run();
  };
  return plans({ type: "call.planned", gated, run: emit });
}

const loop: Record<string, unknown> = {};
loop["self"] = loop;
const item = { id: "item_9", type: "tool_call", tool: "bad", arguments: {}, output: null, status: "in_progress" };

test.for([
  ["a call that is none", prepares(undefined), "its prepare: an object with type is expected."],
  ["a call without a plan", prepares({ type: "call.ready" }), "its prepare: plan is missing: it has to be a function."],
  [
    "a refusal without a reason",
    prepares({ type: "call.rejected" }),
    "its prepare: message is missing: it has to be text.",
  ],
  ["a plan that is none", plans(null), "its plan: an object with type is expected."],
  [
    "a plan without what the gate is asked",
    plans({ type: "call.planned", run }),
    "its plan: gated.type is missing: it has to be one of command, patch, mcp, tool.",
  ],
  [
    "a plan that cannot run",
    plans({ type: "call.planned", gated }),
    "its plan: run is missing: it has to be a function.",
  ],
  [
    "a plan whose item is none",
    plans({ type: "call.planned", gated, run, item: { id: 5 } }),
    "its plan: its item is none of a call.",
  ],
  [
    "a plan whose item is of no call",
    plans({ type: "call.planned", gated, run, item: { id: "item_9", type: "error", message: "" } }),
    "its plan: its item is none of a call.",
  ],
  [
    "a plan whose item cannot be written",
    plans({ type: "call.planned", gated, run, item: { ...item, arguments: loop } }),
    "its plan: its item is none of a call.",
  ],
  ["an end that is none", ends(undefined), "its run: an object is expected."],
  [
    "an end with an item that is none",
    ends({ answer: "done", item: { ...item, status: "done" } }),
    "its run: its item is none of a call.",
  ],
  ["an end with a fault that is no text", ends({ answer: "done", fault: 5 }), "its run: fault has to be text."],
  ["an event that is none", tells(undefined), "emit: an object with type is expected."],
  ["the end of the turn", tells({ type: "turn.completed" }), "emit: type has to be one of"],
  ["an item that is none", tells({ type: "item.completed", item: {} }), "emit: the item of item.completed is none."],
  [
    "live text that is none",
    tells({ type: "item.delta", item_id: "item_0", kind: "sound", delta: "" }),
    "emit: kind has to be one of",
  ],
  ["a warning without a text", tells({ type: "warning" }), "emit: message is missing: it has to be text."],
] as const)("%s of a tool fails its call, and neither the call beside it nor the turn", async ([, tool, reason]) => {
  const calls = [functionCall("bad", {}, "a"), functionCall("good", {}, "b")];
  const { items, events } = await runCalls(createRuntime([tool, good]), calls);
  expect(items).toMatchObject([{ call_id: "a" }, { call_id: "b", output: "fine" }]);
  const ended = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
  expect(ended).toMatchObject([
    { tool: "bad", status: "failed", reason: expect.stringContaining(`The tool bad failed: ${reason}`) },
    { tool: "good", status: "completed" },
  ]);
});

test.for([
  ["no list", "done", "its endTurn: events has to be a list."],
  ["an event that is none", [{ type: "turn.failed" }], "its endTurn: type has to be one of"],
] as const)("%s of a tool at the end of the turn is a warning", ([, events, message]) => {
  const text = expect.stringContaining(`The tool bad failed at the end of the turn: ${message}`);
  expect(createRuntime([bad({ endTurn: () => events })]).endTurn()).toEqual([{ type: "warning", message: text }]);
});
