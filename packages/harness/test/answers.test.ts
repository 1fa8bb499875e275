import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ResponseItem, ThreadEvent, ToolCallItem, TurnOutcome } from "@unroll/protocol";
import { type CallableTool, defineCustomTool, defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const folder = join(import.meta.dirname, "../../../conformance/answers");

interface Expected {
  readonly items: readonly ResponseItem[];
  readonly live: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly outcome: { readonly type: string; readonly error?: { readonly code: string; readonly retryable: boolean } };
}

function isCall(item: ResponseItem): item is ToolCallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function payloadOf(call: ToolCallItem): unknown {
  return call.type === "function_call" ? JSON.parse(call.arguments) : call.input;
}

/** A tool that writes down what it is given. */
function createRecorder({ name, type }: ToolCallItem, runs: unknown[]): CallableTool {
  const run = async (given: unknown): Promise<string> => {
    runs.push([name, given]);
    return `${name} ran`;
  };
  return type === "function_call"
    ? defineTool({ name, description: "", input: z.looseObject({}), run })
    : defineCustomTool({ name, description: "", grammar: "start: /.*/", run });
}

/** The text that you see while the answer comes, and the final messages. */
function listShown(events: readonly ThreadEvent[]): { readonly live: string; readonly final: readonly string[] } {
  const live = events.flatMap((event) =>
    event.type === "item.delta" && event.kind === "agent_message" ? [event.delta] : [],
  );
  const final = events.flatMap((event) =>
    event.type === "item.completed" && event.item.type === "agent_message" ? [event.item.text] : [],
  );
  return { live: live.join(""), final };
}

function textOf(item: ResponseItem): string {
  if (item.type !== "message") return "";
  return item.content
    .map((part) => (part.type === "refusal" ? part.refusal : "text" in part ? part.text : ""))
    .join("");
}

const names = readdirSync(folder).filter((name) => /^\d/.test(name));

function readExpected(name: string): Expected {
  return JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8")) as Expected;
}

/** A thread that gets the answer, and then plain ones. */
async function runAnswer(name: string): Promise<{
  readonly events: readonly ThreadEvent[];
  readonly outcome: TurnOutcome;
  readonly runs: readonly unknown[];
  /** The parts of later requests that come from the answer and its calls. */
  readonly sent: readonly object[];
  readonly host: string;
  readonly violations: readonly unknown[];
}> {
  const raw = readFileSync(join(folder, name, "stream.sse"));
  const runs: unknown[] = [];
  const calls = readExpected(name).items.filter(isCall);
  const tools = [...new Map(calls.map((call) => [call.name, createRecorder(call, runs)])).values()];
  const turns = [{ raw }, { items: [{ text: "Done." }] }, { items: [{ text: "Done again." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  const config = ["model_providers.test.stream_max_retries=0"];
  await using thread = await world.openThread({ tools, builtins: [], config });
  const ran = await runToEnd(thread, "Go");
  await runToEnd(thread, "Go on");
  const last: readonly object[] = world.model.requests.at(-1)?.input ?? [];
  const sent = last.slice(last.findIndex((item) => JSON.stringify(item).includes('"Go"')) + 1);
  return { ...ran, runs, sent, host: new URL(world.model.url).host, violations: world.model.violations };
}

test.for(names.filter((name) => readExpected(name).outcome.type === "completed"))(
  "a thread that gets the answer %s runs each call once, shows the text and sends back what came",
  async (name) => {
    const { items, live } = readExpected(name);
    const calls = items.filter(isCall);
    const { events, outcome, runs, sent, violations } = await runAnswer(name);
    expect(outcome.type).toBe("completed");
    expect(runs).toEqual(calls.map((call) => [call.name, payloadOf(call)]));
    const behind = calls.length > 0 ? ["Done."] : [];
    const said = items.flatMap((item) => (item.type === "message" ? [textOf(item)] : []));
    const streamed = said.filter((text) => Object.values(live).includes(text));
    expect(listShown(events)).toEqual({ live: [...streamed, ...behind].join(""), final: [...said, ...behind] });
    expect(sent.slice(0, items.length)).toMatchObject(items.map(toSent));
    const outputs = sent.slice(items.length, items.length + calls.length);
    expect(outputs).toMatchObject(calls.map((call) => ({ output: `${call.name} ran` })));
    expect(violations).toEqual([]);
  },
);

test.for(names.filter((name) => readExpected(name).outcome.type === "failed"))(
  "a thread that gets the answer %s fails, and keeps no more of it than its beginning",
  async (name) => {
    const { live, outcome: expected } = readExpected(name);
    const { events, outcome, sent, violations } = await runAnswer(name);
    expect(outcome).toMatchObject({ type: "failed", error: { code: expected.error?.code } });
    expect(listShown(events).live).toBe(live["0"]);
    const isKept = expected.error?.code === "incomplete";
    expect(JSON.stringify(sent).includes(`"${live["0"]}"`)).toBe(isKept);
    expect(violations).toEqual([]);
  },
);

test("an answer without indexes that is cut and sent again is shown and run once", async () => {
  const name = "003-llama-server-three-calls";
  const raw = readFileSync(join(folder, name, "stream.sse"));
  const calls = readExpected(name).items.filter(isCall);
  const runs: unknown[] = [];
  const turns = [
    { raw, cut: { afterBytes: Math.floor(raw.length * 0.7), how: "reset" as const } },
    { raw },
    { items: [{ text: "Done." }] },
  ];
  await using world = await openThreadWorld({ script: { turns } });
  const tools = calls.slice(0, 1).map((call) => createRecorder(call, runs));
  await using thread = await world.openThread({ tools, builtins: [] });
  const { events } = await runToEnd(thread, "Go");
  const ids = events.flatMap((event) => (event.type === "item.delta" ? [event.item_id] : []));
  const completed = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
  expect(events.filter(({ type }) => type === "stream.retrying")).toHaveLength(1);
  expect(runs).toEqual(calls.map((call) => [call.name, payloadOf(call)]));
  expect(completed.map(({ type }) => type)).toEqual([
    "reasoning",
    "agent_message",
    ...calls.map(() => "tool_call"),
    "agent_message",
  ]);
  const shownLive = completed.filter(({ type }) => type !== "tool_call").map(({ id }) => id);
  expect([...new Set(ids)]).toEqual(shownLive);
  expect(world.model.violations).toEqual([]);
});

test.for(names)("unusable parts of the answer %s are reported once", async (name) => {
  const { events, host } = await runAnswer(name);
  const told = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  const expected = readExpected(name).warnings.map((message) => message.replace("HOST", host));
  expect(told.filter((message) => message.startsWith(host))).toEqual(expected);
});

/** Without ids: none are sent but those of calls, of which the transcript makes new ones where it had them before. */
function toSent(item: ResponseItem): object {
  if (item.type === "unknown") return JSON.parse(item.json) as object;
  const { id: _, call_id: __, ...rest } = item as ResponseItem & { readonly id?: string; readonly call_id?: string };
  return rest;
}
