import type { ToolCallItem } from "@unroll/protocol";
import {
  type CallableTool,
  createToolRegistry,
  createToolRuntime,
  defineCustomTool,
  defineTool,
  type ToolContext,
} from "@unroll/tools";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  createFakeClock,
  createGate,
  createRuntime,
  functionCall,
  outputText,
  runCalls,
  toolCall,
  withoutToolCalls,
  withFacts,
} from "../fake-ports.ts";

function tool(name: string, run: (context: ToolContext) => Promise<string>): CallableTool {
  return defineTool({
    name,
    description: "",
    input: z.strictObject({}),
    concurrency: "shared",
    run: (_input, context) => run(context),
  });
}

describe("a call that cannot run", () => {
  test("of an unknown tool gets an output that names the tools there are", async () => {
    const runtime = createRuntime([tool("one", async () => ""), tool("two", async () => "")]);
    const output = "unsupported call: three\nThe tools you can call are: one, two.";
    const call = toolCall("three", { a: 1 });
    expect(await runCalls(runtime, [functionCall("three", { a: 1 })])).toEqual({
      events: withFacts([call.started, call.ended({ output, status: "failed", reason: output })]),
      items: [{ type: "function_call_output", call_id: "call_1", output }],
    });
  });

  test("of an unknown tool names no more than 30", async () => {
    const many = Array.from({ length: 40 }, (_, index) => tool(`tool_${index}`, async () => ""));
    const text = outputText(await runCalls(createRuntime(many), [functionCall("three", {})]));
    expect(text).toMatch(/: tool_0, .*, tool_29 and 10 more\.$/);
  });

  test.for([
    ["is no JSON", "{", "{", "The call was not run. Its arguments are not valid JSON"],
    ["does not fit", '{"a":1}', { a: 1 }, "The call was not run. Its arguments do not fit"],
  ] as const)("as what the model wrote %s is seen, and no gate is asked", async ([, text, shown, reason]) => {
    const gate = createGate();
    const runtime = createRuntime([tool("one", async () => "")], { gate });
    const { events } = await runCalls(runtime, [functionCall("one", text)]);
    const call = toolCall("one", shown);
    const why = expect.stringContaining(reason);
    expect(events).toEqual(withFacts([call.started, call.ended({ output: why, status: "failed", reason: why })]));
    expect(gate.calls).toEqual([]);
  });

  test("as it is of the other kind is seen", async () => {
    const call = { type: "custom_tool_call", call_id: "call_1", name: "one", input: "text" } as const;
    const { events } = await runCalls(createRuntime([tool("one", async () => "")]), [call]);
    const shown = toolCall("one", "text");
    const reason = "The call was not run. one is a function: it takes JSON arguments, not plain text.";
    expect(events).toEqual(withFacts([shown.started, shown.ended({ output: reason, status: "failed", reason })]));
  });
});

test("a tool of requests of before runs beside one of the same name that is called otherwise, and ends its turns", async () => {
  const ended: string[] = [];
  const custom = defineCustomTool({
    name: "edit",
    description: "",
    grammar: "start: /.+/",
    run: async (text) => `now: ${text}`,
  });
  const kept: CallableTool = { ...tool("edit", async () => "before"), endTurn: () => (ended.push("edit"), []) };
  const registry = createToolRegistry([custom], { kept: [kept], find: () => null, explain: () => null });
  const runtime = createToolRuntime({ registry, gate: createGate(), outputTokens: 10_000, clock: createFakeClock() });
  expect(outputText(await runCalls(runtime, [functionCall("edit", {})]))).toBe("before");
  const call = { type: "custom_tool_call", call_id: "call_2", name: "edit", input: "text" } as const;
  expect(outputText(await runCalls(runtime, [call]))).toBe("now: text");
  runtime.endTurn();
  expect(ended).toEqual(["edit"]);
});

test("a call that runs is seen from its start to its end, with what the model reads", async () => {
  const seen: unknown[] = [];
  const one = tool("one", async (context) => {
    seen.push(context.itemId);
    return "x".repeat(100);
  });
  const { events, items } = await runCalls(createRuntime([one], { outputTokens: 20 }), [functionCall("one", "")]);
  const output = expect.stringMatching(/^x+\n\[\.\.\. left out here/);
  const call = toolCall("one", "");
  expect(events).toEqual(withFacts([call.started, call.ended({ output, status: "completed" })]));
  expect(items).toMatchObject([{ output }]);
  expect(seen).toEqual(["item_0"]);
});

describe("a tool that throws", () => {
  test("fails its call and nothing else, without a stack", async () => {
    const runtime = createRuntime([tool("bad", () => Promise.reject(new Error("no such city\n  at secret.ts:1")))]);
    const result = await runCalls(runtime, [functionCall("bad", {})]);
    const reason = "The tool bad failed: no such city";
    const output = `${reason}\nThis is a fault of the tool. Do not repeat the same call; go on another way.`;
    const call = toolCall("bad", {});
    expect(result.events).toEqual(withFacts([call.started, call.ended({ output, status: "failed", reason })]));
    expect(outputText(result)).toBe(output);
  });

  test("while it reads its arguments does the same", async () => {
    const bad: CallableTool = {
      ...tool("bad", async () => ""),
      prepare() {
        throw new Error("broken");
      },
    };
    const result = await runCalls(createRuntime([bad]), [functionCall("bad", {})]);
    expect(result.events.at(-1)).toMatchObject({ item: { status: "failed", reason: "The tool bad failed: broken" } });
  });

  test.each([
    ["no text of its own", () => Promise.reject(Object.create(null))],
    ["a message that is no text", () => Promise.reject(Object.assign(new Error("x"), { message: { code: 1 } }))],
    ["nothing to write", async () => ({ toJSON() {} }) as unknown as string],
  ])("or returns %s, fails its call alone", async (_, run) => {
    const { items } = await runCalls(createRuntime([tool("bad", run)]), [functionCall("bad", {})]);
    expect(items).toMatchObject([{ output: expect.any(String) }]);
  });

  test("leaves the calls beside it alone", async () => {
    const runtime = createRuntime([
      tool("bad", () => Promise.reject(new Error("x"))),
      tool("good", async () => "fine"),
    ]);
    const { items } = await runCalls(runtime, [functionCall("bad", {}, "a"), functionCall("good", {}, "b")]);
    expect(items).toMatchObject([{ call_id: "a" }, { call_id: "b", output: "fine" }]);
  });
});

describe("events", () => {
  test("of calls side by side come live, in the order in which they happen", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const warn = (context: ToolContext, message: string) => context.emit({ type: "warning", message });
    const runtime = createRuntime([
      tool("first", async (context) => {
        await warn(context, "first begins");
        await gates[0].promise;
        await warn(context, "first ends");
        return "1";
      }),
      tool("second", async (context) => {
        await gates[1].promise;
        await warn(context, "second");
        return "2";
      }),
    ]);
    const seen: string[] = [];
    const { items } = await runCalls(runtime, [functionCall("first", {}, "a"), functionCall("second", {}, "b")], {
      onEvent(event) {
        if (event.type !== "warning") return;
        seen.push(event.message);
        if (event.message === "first begins") gates[1].resolve();
        if (event.message === "second") gates[0].resolve();
      },
    });
    expect(seen).toEqual(["first begins", "second", "first ends"]);
    expect(items).toMatchObject([{ output: "1" }, { output: "2" }]);
  });

  test("wait for a consumer that is slow, so that a tool that tells much holds little", async () => {
    let told = 0;
    const chatty = tool("chatty", async ({ emit }) => {
      for (; told < 1_000; told += 1) await emit({ type: "warning", message: String(told) });
      return "";
    });
    let worstLead = 0;
    const { events } = await runCalls(createRuntime([chatty]), [functionCall("chatty", {})], {
      onEvent: (event) => {
        if (event.type === "warning") worstLead = Math.max(worstLead, told - Number(event.message));
      },
    });
    expect(withoutToolCalls(events)).toHaveLength(1_000);
    expect(worstLead).toBeLessThan(200);
  });
});

describe("an abort", () => {
  const waitFor = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

  test("gives every call its output: ended ones theirs, running ones how long they ran, waiting ones that they never did", async () => {
    const clock = createFakeClock();
    const user = new AbortController();
    const slow = tool("slow", async ({ signal, emit }) => {
      const stopped = waitFor(signal);
      await emit({ type: "warning", message: "running" });
      return stopped;
    });
    const last = defineTool({
      name: "last",
      description: "",
      input: z.strictObject({}),
      concurrency: "exclusive",
      run: () => Promise.reject(new Error("never")),
    });
    const runtime = createRuntime([tool("quick", async () => "done"), slow, last], { clock });
    const calls = ["quick", "slow", "last"].map((name) => functionCall(name, {}, name));
    const { items, events } = await runCalls(runtime, calls, {
      signal: user.signal,
      onEvent({ type }) {
        if (type !== "warning") return;
        clock.advance(2_345);
        user.abort();
      },
    });
    const ends = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
    expect(ends).toMatchObject([
      { tool: "quick", status: "completed" },
      { tool: "slow", status: "failed", reason: "Stopped after 2.3 s." },
      { tool: "last", status: "failed", reason: "The turn was interrupted before it started." },
    ]);
    expect(items).toMatchObject([
      { call_id: "quick", output: "done" },
      { call_id: "slow", output: "aborted by user after 2.3 seconds" },
      { call_id: "last", output: "aborted by user before it started" },
    ]);
    expect(clock.sleepers).toBe(0);
  });

  test("gives up on a tool that does not stop within five seconds, and reports it", async () => {
    const clock = createFakeClock();
    const user = new AbortController();
    const late = Promise.withResolvers<string>();
    const deaf = tool("deaf", async ({ emit }) => {
      user.abort();
      const answer = await late.promise;
      await emit({ type: "warning", message: "too late" });
      return answer;
    });
    const running = runCalls(createRuntime([deaf], { clock }), [functionCall("deaf", {})], {
      signal: user.signal,
      onEvent: ({ type }) => type === "item.completed" && late.resolve(""),
    });
    while (clock.sleepers === 0) await Promise.resolve();
    clock.advance(5_000);
    const result = await running;
    const reason = "The tool deaf did not stop when the turn was interrupted; it may still be at work.";
    const output = "aborted by user after 5 seconds; it did not stop in time and may still be at work";
    const call = toolCall("deaf", {});
    expect(result.events).toEqual(
      withFacts([call.started, call.ended({ output, status: "failed", reason })], { durationMs: 5_000 }),
    );
    expect(outputText(result)).toBe(output);
    expect(clock.sleepers).toBe(0);
  });

  test("keeps what a tool says about it", async () => {
    const user = new AbortController();
    const polite = tool("polite", async ({ signal }) => {
      user.abort();
      return signal.aborted ? "half done" : "";
    });
    const result = await runCalls(createRuntime([polite]), [functionCall("polite", {})], { signal: user.signal });
    expect(outputText(result)).toBe("half done");
  });

  test("at any event leaves one output for each call, in call order, and nothing at work", async () => {
    const kind = fc.constantFrom("shared", "exclusive");
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 8 }), fc.nat(30), async (kinds, abortAt) => {
        const clock = createFakeClock();
        const user = new AbortController();
        let atWork = 0;
        const work = (concurrency: "shared" | "exclusive") =>
          defineTool({
            name: concurrency,
            description: "",
            input: z.strictObject({}),
            concurrency,
            async run(_input, { signal, emit }) {
              atWork += 1;
              try {
                for (const message of ["1", "2", "3"]) {
                  signal.throwIfAborted();
                  await emit({ type: "warning", message });
                }
                return { output: "done" };
              } finally {
                atWork -= 1;
              }
            },
          });
        let seen = 0;
        const runtime = createRuntime([work("shared"), work("exclusive")], { clock });
        const calls = kinds.map((name, index) => functionCall(name, {}, `${index}`));
        const { items } = await runCalls(runtime, calls, {
          signal: user.signal,
          onEvent: () => (seen += 1) > abortAt && user.abort(),
        });
        expect(items.map((item) => "call_id" in item && item.call_id)).toEqual(calls.map(({ call_id }) => call_id));
        expect({ atWork, sleepers: clock.sleepers }).toEqual({ atWork: 0, sleepers: 0 });
      }),
    );
  });

  test("happens to the tools of a consumer that leaves, before it gets away", async () => {
    const clock = createFakeClock();
    let ended = false;
    const slow = tool("slow", async ({ signal, emit }) => {
      const stopped = waitFor(signal);
      await emit({ type: "warning", message: "running" });
      return stopped.finally(() => (ended = true));
    });
    const running = createRuntime([slow], { clock }).run([functionCall("slow", {})], {
      signal: new AbortController().signal,
      nextItemId: () => "item_0",
    });
    for await (const { type } of running) if (type === "warning") break;
    expect(ended).toBe(true);
    expect(clock.sleepers).toBe(0);
  });
});

describe("order", () => {
  /** Ends when the test lets it, in any order. */
  function createSteps() {
    const log: string[] = [];
    const open = new Map<string, () => void>();
    const step = (concurrency: "shared" | "exclusive") =>
      defineTool({
        name: concurrency,
        description: "",
        input: z.strictObject({ id: z.string() }),
        concurrency,
        async run({ id }) {
          log.push(`+${id}`);
          const { promise, resolve } = Promise.withResolvers<void>();
          open.set(id, resolve);
          await promise;
          open.delete(id);
          log.push(`-${id}`);
          return { output: id };
        },
      });
    return { log, open, tools: [step("shared"), step("exclusive")] };
  }

  test("of outputs is that of the calls, and an exclusive call runs alone, whatever ends first", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("shared", "exclusive"), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (kinds, picks) => {
          const { log, open, tools } = createSteps();
          const calls: ToolCallItem[] = kinds.map((kind, index) =>
            functionCall(kind, { id: `${index}` }, `call_${index}`),
          );
          const running = runCalls(createRuntime(tools), calls);
          while (log.length < 2 * kinds.length) {
            for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
            const waiting = [...open.values()];
            waiting[(picks.next().value ?? 0) % waiting.length]?.();
          }
          const { items } = await running;
          expect(items.map((item) => "output" in item && item.output)).toEqual(kinds.map((_kind, index) => `${index}`));

          const atWork = new Set<string>();
          for (const entry of log) {
            const id = entry.slice(1);
            if (entry.startsWith("-")) {
              atWork.delete(id);
              continue;
            }
            const isAlone = kinds[Number(id)] === "exclusive";
            for (const other of atWork) {
              expect(isAlone || kinds[Number(other)] === "exclusive").toBe(false);
              const between = kinds.slice(Math.min(Number(id), Number(other)), Math.max(Number(id), Number(other)));
              expect(between).not.toContain("exclusive");
            }
            atWork.add(id);
          }
          expect(atWork.size).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("neighbours that are shared start together", async () => {
  const both = Promise.withResolvers<void>();
  let started = 0;
  const meet = tool("meet", async () => {
    if ((started += 1) === 2) both.resolve();
    await both.promise;
    return "met";
  });
  const { items } = await runCalls(createRuntime([meet]), [
    functionCall("meet", {}, "a"),
    functionCall("meet", {}, "b"),
  ]);
  expect(items).toMatchObject([{ output: "met" }, { output: "met" }]);
});
